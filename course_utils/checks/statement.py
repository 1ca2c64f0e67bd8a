"""An exercise as it is asked: what goes in, what should come out, one example."""

from __future__ import annotations

import html

from course_utils.checks.box import BLUE, box
from course_utils.checks.exercise import KINDS_OF_EXERCISES, Exercise
from course_utils.checks.judging.wording import written


class Statement:
    """What an exercise asks for, plain in a terminal and set apart in a notebook."""

    def __init__(self, exercise: Exercise):
        self.head = f"Exercise {exercise.number} ({KINDS_OF_EXERCISES[exercise.kind]})"
        self.rows = [("", exercise.task), *asked_of(exercise)]

    def __repr__(self) -> str:
        rows = [f"{name}: {text}" if name else text for name, text in self.rows]
        return "\n".join([self.head, *(f"  {row}" for row in rows)])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<div>{f'<i>{name}</i>&ensp;' if name else ''}{_text(name, text)}</div>"
            for name, text in self.rows
        )
        return box(BLUE, f"<b>{html.escape(self.head)}</b>{rows}")


def asked_of(exercise: Exercise) -> list[tuple[str, str]]:
    """Return what is known of the kind of answer, as (name, text)."""
    rows = [("in", exercise.takes), ("out", exercise.gives)]
    for name, choices in exercise.options.items():
        if choices:
            listed = ", ".join(map(repr, choices))
            rows.append((f"choices for {name}" if name else "choices", listed))
    if exercise.example is not None:
        rows.append(("example", example_of(exercise)))
    if exercise.reserved:
        rows.append(("judged", "by your instructor; a check tries only what stands here"))
    return [(name, text) for name, text in rows if text]


def example_of(exercise: Exercise) -> str:
    """Return one call and what comes out, by the reference."""
    arguments = ", ".join(written(argument) for argument in exercise.example or ())
    value = exercise.reference(*(exercise.example or ()))
    return f"{exercise.function}({arguments}) is {written(value)}"


def _text(name: str, text: str) -> str:
    text = html.escape(text)
    return f"<code>{text}</code>" if name in ("example", "choices") else text
