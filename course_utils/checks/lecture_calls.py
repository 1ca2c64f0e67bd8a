"""What a lecture calls: check an answer, ask for a hint, see the solution."""

from __future__ import annotations

import ast
import html
from collections import Counter
from pathlib import Path

from IPython.display import display

from course_utils.checks.box import AMBER, BLUE, GREEN, GREY, box, marked
from course_utils.checks.exercise import Arguments, Exercise
from course_utils.checks.find_exercise import OWN, every_place, find
from course_utils.checks.judged_cell import judged_cell, watch
from course_utils.checks.judging.apart import judge_safely
from course_utils.checks.judging.judge import Verdict
from course_utils.checks.judging.run import copied
from course_utils.checks.progress import in_short, keep_handed_in, keep_solved
from course_utils.checks.statement import Statement

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"

_MARKS = {
    "ok": ("✓", GREEN),
    "handed in": ("◐", BLUE),
    "not attempted": ("○", GREY),
    "misconception": ("↺", AMBER),
    "wrong": ("✗", AMBER),
    "error": ("✗", AMBER),
    "stopped": ("■", AMBER),
}
_hints_given: Counter[str] = Counter()


class Note:
    """One line for the learner, plain in a terminal and marked with colour in a notebook."""

    def __init__(self, mark: str, colour: str, head: str, text: str, aside: str = ""):
        self.mark, self.colour, self.head, self.text = mark, colour, head, text
        self.aside = aside

    def __repr__(self) -> str:
        aside = f" ({self.aside})" if self.aside else ""
        return f"{self.mark} {self.head}: {self.text}{aside}"

    def _repr_html_(self) -> str:
        head, text, aside = map(html.escape, (self.head, self.text, self.aside))
        small = f'<div style="opacity:.75;font-size:90%">{aside}</div>' if aside else ""
        mark = marked(self.colour, self.mark)
        return box(self.colour, f"{mark} <b>{head}</b>&ensp;{text}{small}")


def note_on(verdict: Verdict, aside: str = "") -> Note:
    """Return the note that tells a learner this verdict."""
    mark, colour = _MARKS[verdict.kind]
    return Note(mark, colour, f"Exercise {verdict.number}", verdict.message, aside)


def check(number: str, answer: object) -> None:
    """Show whether an answer is right, and if not, what kind of wrong. Never raise."""
    try:
        _, exercise = find(number)
    except ValueError as error:
        display(Note("✗", AMBER, "Which exercise?", str(error)))
        return
    as_run, older = judged_cell(answer, exercise.function)
    head = f"Exercise {exercise.number}"
    verdict = judge_safely(exercise, answer, lambda text: display(Note("…", BLUE, head, text)))
    if verdict.printed:
        print(verdict.printed, end="" if verdict.printed.endswith("\n") else "\n")
    if older:
        display(Note("!", AMBER, head, older))
    kept = {"ok": keep_solved, "handed in": keep_handed_in}.get(verdict.kind, in_short)
    progress = kept(exercise.number)
    aside = "; ".join(part for part in (as_run, progress) if part)
    display(note_on(verdict, aside))


def task(number: str) -> None:
    """Show what an exercise asks for: what goes in, what comes out, an example."""
    exercise = _found(number)
    if exercise:
        display(Statement(exercise[1]))


def case(number: str, which: int) -> Arguments:
    """Return the arguments of a case that a message names: `f(*case("7.4", 1))`."""
    exercise = find(number)[1]
    cases = exercise.cases()
    if not 1 <= which <= len(cases):
        raise ValueError(f"exercise {exercise.number} has the cases 1 to {len(cases)}")
    return copied(cases[which - 1])


def hint(number: str, step: int | None = None) -> None:
    """Show the next of three hints: where to look, then how, then nearly all; or one of them."""
    found = _found(number)
    if not found:
        return
    exercise = found[1]
    last = len(exercise.hints)
    if not last:
        text = "it has no hints: your instructor judges it."
        display(Note("☞", BLUE, f"Exercise {exercise.number}", text))
        return
    told_all = step is None and _hints_given[exercise.number] == last
    if step is None:
        step = min(_hints_given[exercise.number] + 1, last)
        _hints_given[exercise.number] = step
    if step not in range(1, last + 1):
        display(Note("☞", BLUE, f"Exercise {exercise.number}", f"its hints are 1 to {last}."))
        return
    again = f'hint("{exercise.number}", 1) shows the first again' if step > 1 else ""
    if told_all:
        again = f'that was the last hint: show_solution("{exercise.number}") shows ours'
    display(Note("☞", BLUE, f"Hint {step} of {last}", exercise.hints[step - 1], again))


def _found(number: str) -> tuple[str, Exercise] | None:
    """Return an exercise and its module, or say which there are."""
    try:
        return find(number)
    except ValueError as error:
        display(Note("☞", BLUE, "Which exercise?", str(error)))
        return None


def show_solution(number: str) -> None:
    """Show the solution where the folder solutions/ is present, say so where it is not."""
    found = _found(number)
    if not found:
        return
    module, exercise = found
    file = SOLUTIONS / f"{module}.py"
    if module == OWN and SOLUTIONS.is_dir():
        file = every_place()[exercise.number].file
    if exercise.reserved or not file.is_file():
        text = f"This copy has no folder solutions/. It has hints: hint('{exercise.number}')."
        kept = "It stays with your instructor, who judges this exercise."
        display(Note("☞", BLUE, "No solution here", kept if exercise.reserved else text))
        return
    display(Source(source_of(file, exercise.function)))


def source_of(file: Path, function: str) -> str:
    """Return the text of one function of a file."""
    text = file.read_text(encoding="utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return ast.get_source_segment(text, node) or ""
    raise LookupError(f"{file.name} has no function {function}")


class Source:
    """A piece of Python as a notebook shows it."""

    def __init__(self, text: str):
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return f"```python\n{self.text}\n```"


watch()
