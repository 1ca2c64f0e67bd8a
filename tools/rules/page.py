"""Rules for what a reader meets: folded book-keeping, findings in sentences, drawn numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from course_utils.pages.notebook import Cell, Notebook, literal
from course_utils.pages.slides import Slide, heading_of, make_slides, shorten
from tools.rules.breach import Breach

MOST_OPEN_LINES, MOST_SHOWN = 12, 12
LEAST_SHOWN = 6  # fewer only where a lecture claims less
DOES = re.compile(r"# \S.+")
NOTE = "<details><summary>For the instructor</summary>\n\n"
SENTENCE = re.compile(r"[A-Z0-9].*\{[^{}]*\}.*[.?]", re.DOTALL)
TOLD = {"draw_table", "predicted", "same", "holds"}  # a result in words or numbers
SEEN = {*TOLD, "show", "print", "predict", "check"}  # what leaves anything on the wall
CLICKED = ("slide", "subslide", "fragment")


class Shares(NamedTuple):
    """What a lecture is made of: characters that are not blank, and calls that draw."""

    prose: int
    open_code: int
    folded_code: int
    pictures: int
    explorers: int
    results: int  # slides
    drawn: int  # of these

    def __str__(self) -> str:
        whole = max(1, self.prose + self.open_code + self.folded_code)
        parts = (self.prose, "prose"), (self.open_code, "open code"), (self.folded_code, "folded")
        said = ", ".join(f"{part / whole:.0%} {name}" for part, name in parts)
        drawn = f"{self.drawn} of {self.results} result slides drawn"
        return f"{said}; {self.pictures} pictures, {self.explorers} explorers; {drawn}"


def shares(notebook: Notebook) -> Shares:
    """Measure what a reader sees of a lecture."""
    sizes = {"prose": 0, "open": 0, "folded": 0}
    for cell in notebook.cells:
        kind = "prose" if cell.is_prose else "folded" if cell.is_folded else "open"
        sizes[kind] += len("".join(cell.source.split()))
    called = [_name_of(call) for cell in notebook.code for call in _calls(cell.tree)]
    explorers = sum(name.startswith("explore_") for name in called)
    slides = [shown for shown in map(_shown_on, make_slides(notebook)) if shown != _NOTHING]
    return Shares(
        sizes["prose"], sizes["open"], sizes["folded"], called.count("show"), explorers,
        len(slides), sum(shown.drawn for shown in slides),
    )  # fmt: skip


def book_keeping_is_folded(notebook: Notebook) -> Iterator[Breach]:
    """What stays open is what a student should read or change; the rest says what it does."""
    for cell in notebook.code:
        lines = cell.source.strip().split("\n")
        if "setup" in cell.tags and not cell.is_folded:
            yield Breach(cell.number, "is an open setup cell", "collapse it: source_hidden")
        if cell.is_folded and not DOES.fullmatch(lines[0]):
            do = "begin it with one line, # what it does: JupyterLab shows that line"
            yield Breach(cell.number, "is folded and does not say what it does", do)
        if not cell.is_folded and len(lines) > MOST_OPEN_LINES:
            what = f"shows {len(lines)} lines of code; the limit is {MOST_OPEN_LINES}"
            yield Breach(cell.number, what, "fold what only gathers or compares, or split it")


def claims_are_sentences(notebook: Notebook) -> Iterator[Breach]:
    """A stranger understands a claim; few of them carry the story, the others are quiet."""
    shown = quiet = 0
    for cell in notebook.code:
        for call in cell.statements("claim"):
            given = {keyword.arg: keyword.value for keyword in call.keywords}
            is_quiet = literal(given.get("quiet")) is True
            shown, quiet = shown + (not is_quiet), quiet + is_quiet
            if not SENTENCE.fullmatch(said := _said(given.get("says"))):
                do = "write a sentence with {} where its number goes, and a full stop"
                yield Breach(cell.number, f"claims {said!r}, which is no sentence", do)
    least = min(LEAST_SHOWN, shown + quiet)
    if not least <= shown <= MOST_SHOWN:
        what = f"shows {shown} claims, and {quiet} are quiet"
        yield Breach(0, what, f"show {least} to {MOST_SHOWN}; quiet=True folds steps on the way")


def no_table_is_printed(notebook: Notebook) -> Iterator[Breach]:
    """Numbers are looked at: a dozen in a drawn table, more in a picture."""
    for cell in notebook.code:
        loops = [node for node in ast.walk(cell.tree) if isinstance(node, ast.For)]
        for loop in loops:
            if any(getattr(call.func, "id", "") == "print" for call in _calls(loop)):
                do = "use table of course_utils.plots.table, or draw it"
                yield Breach(cell.number, "prints line after line", do)
                break


def results_are_drawn(notebook: Notebook) -> Iterator[Breach]:
    """A wall is looked at: at least every other slide with a result shows it in a picture."""
    found = shares(notebook)
    least = (found.results + 1) // 2
    if found.results > 1 and found.drawn < least:
        what = f"shows a picture on {found.drawn} of {found.results} slides with a result"
        yield Breach(0, what, f"draw the results of {least - found.drawn} more")


def every_click_shows_something(notebook: Notebook) -> Iterator[Breach]:
    """Who presents and clicks sees more than before: not a folded cell whose claims are quiet."""
    for cell in notebook.code:
        called = {_name_of(call) for call in _calls(cell.tree)}
        explores = any(name.startswith("explore_") for name in called)
        if (
            cell.is_folded
            and cell.slide in CLICKED
            and not (called & SEEN or explores or _claims_aloud(cell))
        ):
            what = "is a step of its slide and shows nothing on the wall"
            yield Breach(cell.number, what, "give it the slide type skip: it runs all the same")


def results_stand_below_their_own_question(notebook: Notebook) -> Iterator[Breach]:
    """A slide without a heading shows its section's, which no latecomer should take for a task."""
    whole = make_slides(notebook)
    found = {
        slide.shown[0].number
        for version in (whole, shorten(whole))
        for place, slide in enumerate(version)
        if not slide.heading and heading_of(version, place, "").startswith("Explore")
    }
    do = "make the explorer's text a subslide, so that the heading before it goes on"
    for number in sorted(found):
        yield Breach(number, "stands on the wall below the heading of an explorer", do)


def notes_are_folded(notebook: Notebook) -> Iterator[Breach]:
    """A student reads a task, not its answer below; the presenter's window opens the notes."""
    for cell in notebook.prose:
        if cell.slide == "notes" and not cell.source.startswith(NOTE):
            do = f"begin it with {NOTE.strip()}, end it with </details>"
            yield Breach(cell.number, "is a note that stands open in the student's page", do)


class _Shown(NamedTuple):
    """Whether a slide shows a result in words or numbers, and whether it draws one."""

    told: bool
    drawn: bool


_NOTHING = _Shown(told=False, drawn=False)


def _shown_on(slide: Slide) -> _Shown:
    called = {_name_of(call) for cell in slide.shown for call in _calls(cell.tree)}
    drawn = "show" in called or any(name.startswith("explore_") for name in called)
    return _Shown(bool(called & TOLD) or any(map(_claims_aloud, slide.shown)), drawn)


def _claims_aloud(cell: Cell) -> bool:
    return any(
        _name_of(call) == "claim" and not any(own.arg == "quiet" for own in call.keywords)
        for call in _calls(cell.tree)
    )


def _name_of(call: ast.Call) -> str:
    return getattr(call.func, "id", "")


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _said(says: ast.expr | None) -> str:
    pieces = says.values if isinstance(says, ast.JoinedStr) else [says]
    return "".join("0" if isinstance(p, ast.FormattedValue) else str(literal(p)) for p in pieces)


RULES = (
    book_keeping_is_folded,
    claims_are_sentences,
    no_table_is_printed,
    results_are_drawn,
    every_click_shows_something,
    results_stand_below_their_own_question,
    notes_are_folded,
)
