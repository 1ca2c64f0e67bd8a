"""What an exercise is: a reference, inputs to try, the mistakes people make, three hints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Misconception:
    """A wrong version that runs, and what to tell somebody whose answer behaves like it."""

    name: str
    wrong: Callable[..., Any]
    message: str


@dataclass(frozen=True)
class Exercise:
    """One exercise of a lecture.

    `cases()` returns argument tuples on pairwise different sizes; every floating tensor among the
    arguments is also differentiated through, unless `gradients` is False.
    """

    number: str
    task: str
    reference: Callable[..., Any]
    cases: Callable[[], list[tuple]]
    misconceptions: tuple[Misconception, ...]
    hints: tuple[str, str, str]
    gradients: bool = True
    tolerance: float = 1e-6

    @property
    def function(self) -> str:
        """Return the name of the function that the learner writes."""
        return self.reference.__name__
