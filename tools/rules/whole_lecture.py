"""Rules for a lecture as a whole: its promise, claims, predictions, explorers and end."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import course_utils.explorers as explorers
from course_utils.pages.notebook import Cell, Notebook, literal, prose_share
from tools.rules.breach import Breach

LEAST_PROSE, MOST_PROSE = 0.5, 0.75  # claims are sentences, too
END = ("Summary", "Questions", "Sources")
ITEM = re.compile(r"^(?:[-*]|\d+\.) +\S", re.MULTILINE)
NUMBERED = re.compile(r"^\d+\. +\S", re.MULTILINE)


def it_begins_with_a_promise(notebook: Notebook) -> Iterator[Breach]:
    """The first slide says what it is for, and three goals."""
    first = notebook.cells[0]
    title, _, rest = first.source.partition("\n")
    if not (first.is_prose and first.slide == "slide"):
        yield Breach(1, "is not a prose cell on a slide", "begin with title, promise, three goals")
    if not re.match(rf"# {notebook.lecture} \S", title):
        yield Breach(1, "lacks the lecture's title", f"begin with `# {notebook.lecture} Title`")
    if (goals := len(ITEM.findall(rest))) != 3:
        yield Breach(1, f"lists {goals} goals", "list three: what will a learner be able to do?")
    if not ITEM.split(rest)[0].strip():
        yield Breach(1, "promises nothing", "say before the goals what the lecture is for")


def it_ends_as_all_do(notebook: Notebook) -> Iterator[Breach]:
    """Summary, five to eight questions, sources."""
    sections = notebook.sections()
    if tuple(sections)[-3:] != END:
        yield Breach(0, "does not end like the others", f"let it end with ## {', ## '.join(END)}")
        return
    prose = {name: "\n".join(c.source for c in sections[name] if c.is_prose) for name in END}
    if not 5 <= (count := len(NUMBERED.findall(prose["Questions"]))) <= 8:
        yield Breach(0, f"asks {count} questions at the end", "ask 5 to 8, numbered `1.`")
    if not ITEM.search(prose["Sources"]):
        yield Breach(0, "names no source", "list them under ## Sources")


def prose_carries_it(notebook: Notebook) -> Iterator[Breach]:
    """A lecture is read more than typed; lecture 00 is a guide and may be all prose."""
    share = prose_share(notebook)
    if notebook.lecture != "00" and not LEAST_PROSE <= share <= MOST_PROSE:
        what = f"is {share:.0%} prose; aim for {LEAST_PROSE:.0%} to {MOST_PROSE:.0%}"
        yield Breach(0, what, "say more, or move code into the package; or say less")


def claims_can_break(notebook: Notebook) -> Iterator[Breach]:
    """Every claim has its own number, a band, and words for what was measured."""
    last = 0
    for cell in notebook.code:
        for call in cell.calls("claim"):
            number = literal(call.args[0]) if call.args else None
            match = re.fullmatch(rf"{notebook.lecture}\.(\d+)", str(number))
            if not match:
                do = f"number it {notebook.lecture}.1, {notebook.lecture}.2, ..."
                yield Breach(cell.number, f"has a claim numbered {number!r}", do)
                continue
            if int(match[1]) <= last:
                do = "number the claims in the order in which they stand, each once"
                yield Breach(cell.number, f"claim {number} comes after {last}", do)
            last = max(last, int(match[1]))
            yield from _parts_of_claim(cell, call, str(number))


def _parts_of_claim(cell: Cell, call: ast.Call, number: str) -> Iterator[Breach]:
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    given |= dict(zip(("number", "value", "low", "high", "says"), call.args, strict=False))
    if "low" not in given and "high" not in given:
        yield Breach(cell.number, f"claim {number} has no band", "give low or high, or both")
    said = given.get("says")
    if not (isinstance(said, ast.JoinedStr) or (literal(said) and str(literal(said)).strip())):
        yield Breach(cell.number, f"claim {number} says nothing", 'give says="what was measured"')
    if call not in cell.statements("claim"):
        do = "let it stand for itself, in no loop, function or condition"
        yield Breach(cell.number, f"claim {number} is not a statement of its own", do)


def predictions_are_answered(notebook: Notebook) -> Iterator[Breach]:
    """What a room is asked stands on a slide, and so does, further down, what came out."""
    named = {call: _named(notebook, call) for call in ("predict", "predicted")}
    for name, cell in named["predict"].items():
        answer = named["predicted"].get(name)
        if answer is None or answer.number <= cell.number:
            do = f'show what came out: predicted("{name}", ...) in a later cell'
            yield Breach(cell.number, f"prediction {name} has no result below it", do)
    for call, cells in named.items():
        for name, cell in cells.items():
            if cell.slide in ("skip", "notes"):
                do = "give it a place on a slide, such as fragment"
                yield Breach(cell.number, f"{call} of {name} is not on the slides", do)


def _named(notebook: Notebook, function: str) -> dict[str, Cell]:
    found = ((call, cell) for cell in notebook.code for call in cell.calls(function) if call.args)
    return {str(literal(call.args[0])): cell for call, cell in found}


def explorers_exist(notebook: Notebook) -> Iterator[Breach]:
    """An explorer's name is one that the package has."""
    for cell in notebook.code:
        for node in ast.walk(cell.tree):
            name = getattr(node, "id", getattr(node, "attr", ""))  # bare, or after a dot
            if name.startswith("explore_") and name not in explorers.__all__:
                do = f"there are {', '.join(explorers.__all__)}"
                yield Breach(cell.number, f"asks for {name}, which does not exist", do)


RULES = (
    it_begins_with_a_promise,
    it_ends_as_all_do,
    prose_carries_it,
    claims_can_break,
    predictions_are_answered,
    explorers_exist,
)
