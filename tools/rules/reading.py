"""Rules for a reader's path: minutes, tasks, sentences to keep, answers, what comes next."""

from __future__ import annotations

import re
from collections.abc import Iterator

from course_utils.pages.notebook import Cell, Notebook, lectures, read
from course_utils.pages.slides import make_slides, planned_minutes
from tools.rules.breach import Breach
from tools.rules.whole_lecture import NUMBERED

TAKEAWAY, TASK = "**In one sentence.**", "**Your task:**"
TAUGHT = re.compile(r"\d+ ")  # a section's heading; Summary and the like have no number
MINUTES = re.compile(r"^\*\d+ minutes?\.\*", re.MULTILINE)
MAP = re.compile(r"^\| \[?(\d\d) .*\| (\d+) \|$", re.MULTILINE)  # in the first lecture
ANSWER = re.compile(r"\*\*(\d+)\*\*")
DETAILS = re.compile(r"<details>.*?</details>", re.DOTALL)


def every_section_says_its_minutes(notebook: Notebook) -> Iterator[Breach]:
    """A reader knows whether a section fits in before lunch."""
    for cells in _taught(notebook):
        if not MINUTES.search(cells[0].source):
            do = "begin the text below the heading with *6 minutes.*, exercises included"
            yield Breach(cells[0].number, "does not say how long its section takes", do)


def the_minutes_add_up(notebook: Notebook) -> Iterator[Breach]:
    """A planner reads the map, a presenter the first note, a student the section."""
    slides = make_slides(notebook)
    total = sum(slide.minutes for slide in slides)
    whole = -(-total // 5) * 5
    if not total:
        return
    if (said := planned_minutes(slides)) not in (total, whole):
        do = "let the first note say the sections' sum, rounded up to five minutes"
        yield Breach(0, f"plans {said} minutes, its sections take {total}", do)
    first = read(lectures(notebook.path.parent)[0])
    drawn = dict(row for cell in first.prose for row in MAP.findall(cell.source))
    if drawn and drawn.get(notebook.lecture) != str(whole):
        what = f"has {drawn.get(notebook.lecture, 'no')} minutes on the map of {first.path.name}"
        yield Breach(0, f"{what}, its sections take {total}", f"write {whole} there")


def every_section_is_summed_up(notebook: Notebook) -> Iterator[Breach]:
    """What a deck leaves out is not heard: the conclusion is a fragment, in one sentence."""
    for cells in _taught(notebook):
        sums = [c for c in cells if c.is_prose and c.source.startswith(TAKEAWAY)]
        if len(sums) != 1:
            what = f"begins a section that is summed up {len(sums)} times"
            yield Breach(cells[0].number, what, f"end it with one cell that begins {TAKEAWAY}")
        for cell in sums:
            if cell.slide != "fragment":
                yield Breach(cell.number, "sums up where no deck shows it", "make it a fragment")


def every_explorer_has_a_task(notebook: Notebook) -> Iterator[Breach]:
    """Play alone teaches little: the prose above says what to look for."""
    task = False
    for cell in notebook.cells:
        task |= cell.is_prose and TASK in cell.source
        if cell.is_code and "explore_" in cell.source and "setup" not in cell.tags:
            if not task:
                do = f"say in a prose cell above it, after {TASK} what to find out"
                yield Breach(cell.number, "is an explorer without a task", do)
            task = False


def every_question_is_answered(notebook: Notebook) -> Iterator[Breach]:
    """A reader who is alone needs answers; folded, they spoil nothing."""
    prose = "\n".join(c.source for c in notebook.sections().get("Questions", []) if c.is_prose)
    folded = "".join(DETAILS.findall(prose))
    asked, answered = len(NUMBERED.findall(DETAILS.sub("", prose))), ANSWER.findall(folded)
    if [int(number) for number in answered] != list(range(1, asked + 1)):
        do = "answer each in <details>, in order, beginning with its number as **1**"
        yield Breach(0, f"asks {asked} questions and answers {', '.join(answered) or 'none'}", do)


def the_next_lecture_is_named(notebook: Notebook) -> Iterator[Breach]:
    """The end of a lecture is a door."""
    later = [path.name for path in lectures(notebook.path.parent) if path.name > notebook.path.name]
    if later and not any(f"]({later[0]}" in cell.source for cell in notebook.prose):
        yield Breach(0, "does not lead on", f"link to {later[0]} near the end, after **Next:**")


def _taught(notebook: Notebook) -> Iterator[list[Cell]]:
    yield from (cells for name, cells in notebook.sections().items() if TAUGHT.match(name))


RULES = (
    every_section_says_its_minutes,
    the_minutes_add_up,
    every_section_is_summed_up,
    every_explorer_has_a_task,
    every_question_is_answered,
    the_next_lecture_is_named,
)
