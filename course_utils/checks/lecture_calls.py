"""What a lecture calls: check an answer, ask for a hint, see the solution."""

from __future__ import annotations

import ast
import html
from collections import Counter
from pathlib import Path
from typing import Any

from IPython.display import display

from course_utils.checks.find_exercise import find
from course_utils.checks.judge import Verdict, judge

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"

_MARKS = {
    "ok": ("✓", "#00875f"),
    "not attempted": ("○", "#777777"),
    "misconception": ("↺", "#c04f00"),
    "wrong": ("✗", "#c04f00"),
    "error": ("✗", "#c04f00"),
}
_hints_given: Counter[str] = Counter()


class Note:
    """One line for the learner, plain in a terminal and marked with colour in a notebook."""

    def __init__(self, mark: str, colour: str, head: str, text: str):
        self.mark, self.colour, self.head, self.text = mark, colour, head, text

    def __repr__(self) -> str:
        return f"{self.mark} {self.head}: {self.text}"

    def _repr_html_(self) -> str:
        return (
            f'<div style="border-left:3px solid {self.colour};padding:2px 12px">'
            f'<b style="color:{self.colour}">{self.mark} {html.escape(self.head)}</b>&ensp;'
            f"{html.escape(self.text)}</div>"
        )


def note_on(verdict: Verdict) -> Note:
    """Return the note that tells a learner this verdict."""
    mark, colour = _MARKS[verdict.kind]
    return Note(mark, colour, f"Exercise {verdict.number}", verdict.message)


def check(number: str, answer: Any) -> None:
    """Show whether an answer is right, and if not, what kind of wrong. Never raise."""
    try:
        _, exercise = find(number)
    except ValueError as error:
        display(Note("✗", "#c04f00", f"Exercise {number}", str(error)))
        return
    display(note_on(judge(exercise, answer)))


def hint(number: str) -> None:
    """Show the next of three hints: where to look, then how, then nearly all."""
    _, exercise = find(number)
    step = min(_hints_given[number], len(exercise.hints) - 1)
    _hints_given[number] += 1
    head = f"Hint {step + 1} of {len(exercise.hints)}"
    display(Note("☞", "#0072b2", head, exercise.hints[step]))


def show_solution(number: str) -> None:
    """Show the solution where the folder solutions/ is present, say so where it is not."""
    module, exercise = find(number)
    file = SOLUTIONS / f"{module}.py"
    if not file.is_file():
        text = f"This copy has no folder solutions/. Hints there are: hint({number!r})."
        display(Note("☞", "#0072b2", "No solution here", text))
        return
    display(Source(source_of(file, exercise.function)))


def source_of(file: Path, function: str) -> str:
    """Return the text of one function of a file."""
    text = file.read_text(encoding="utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return ast.get_source_segment(text, node)
    raise LookupError(f"{file.name} has no function {function}")


class Source:
    """A piece of Python as a notebook shows it."""

    def __init__(self, text: str):
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return f"```python\n{self.text}\n```"
