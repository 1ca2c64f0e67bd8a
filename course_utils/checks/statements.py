"""An exercise whose answer gives every lettered statement one choice, such as "shown" or "open"."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence

from course_utils.checks.exercise import Exercise

EVIDENCE = ("shown", "refuted", "open")


def about_statements(
    number: str,
    task: str,
    reference: Callable[[], dict[str, str]],
    reasons: str,
    hints: tuple[str, str, str],
    kind: str = "judge",
    choices: Sequence[str] = EVIDENCE,
) -> Exercise:
    """Return the exercise; each line of `reasons` is "A open: why this choice is wrong".

    An indented line goes on with the one before.
    """
    last = max(reference())
    return Exercise(
        number=number,
        task=task,
        kind=kind,
        reference=reference,
        gives=f'a dict such as {{"A": "{choices[-1]}", ...}}, one choice for each of A to {last}',
        cases=lambda: [()],
        choices=choices,
        reasons=dict(_reason(number, line, choices) for line in _lines(reasons)),
        hints=hints,
        misconceptions=(),
    )


def _lines(reasons: str) -> list[str]:
    """Return each reason on a line of its own."""
    return re.sub(r"\n +", " ", textwrap.dedent(reasons).strip()).splitlines()


def _reason(number: str, line: str, choices: Sequence[str]) -> tuple[tuple[str, str], str]:
    """Return ((statement, wrong choice), what to tell whoever makes it)."""
    head, _, why = line.partition(": ")
    letter, _, choice = head.partition(" ")
    if choice not in choices or not why:
        form = f'"A {choices[-1]}: why it is wrong"'
        raise ValueError(f"exercise {number}: {line!r} is not written as {form}")
    return (letter, choice), f"{letter}: {why}"
