"""What an exercise is: a reference, inputs to try, the mistakes people make, three hints."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

KINDS_OF_EXERCISES = {
    "code": "code a formula",
    "predict": "predict",
    "derive": "derive",
    "read": "read code",
    "debug": "find the bug",
    "set": "set gates by hand",
    "judge": "judge evidence",
    "design": "design a control",
}


@dataclass(frozen=True)
class Misconception:
    """A wrong version that runs, and what to tell somebody whose answer behaves like it."""

    name: str
    wrong: Callable[..., Any]
    message: str


@dataclass(frozen=True)
class Exercise:
    """One exercise of a lecture.

    `cases()` returns argument tuples on pairwise different sizes, the smallest first: its numbers
    are shown. An exercise without arguments, such as a prediction, has the one case `()`.

    The reference's value says which kind of answer is expected: a number, an array, a text, a set,
    several values or a dict with names; the answer may be written with math, NumPy, torch or lists.
    Where many answers are right, `effect(answer, *arguments)` returns what the answer does, best
    as a dict of named numbers, and only that is compared.
    """

    number: str
    task: str
    reference: Callable[..., Any]
    cases: Callable[[], list[tuple]]
    misconceptions: tuple[Misconception, ...]
    hints: tuple[str, str, str]
    kind: str = "code"  # of KINDS_OF_EXERCISES
    takes: str = ""  # types and shapes: "u, h_before, x: numbers"
    gives: str = ""  # "a number", "a matrix (H, H)"
    example: tuple | None = None  # arguments; the reference says what comes out
    choices: Sequence | Mapping[str, Sequence] = ()  # all that may be answered, or for each name
    reasons: Mapping = field(default_factory=dict)  # wrong choice, or (name, choice) -> why not
    effect: Callable[..., Any] | None = None
    gradients: bool = False  # is it about gradients? then they are compared too
    tolerance: float = 1e-6
    precise: bool = False  # float64 is the point: float32 is refused

    @property
    def function(self) -> str:
        """Return the name of the function that the learner writes."""
        return self.reference.__name__

    @property
    def parameters(self) -> list[str]:
        """Return the names of the arguments."""
        return list(inspect.signature(self.reference).parameters)

    @property
    def options(self) -> Mapping[str, Sequence]:
        """Return what may be answered by name; the only answer's name is empty."""
        return self.choices if isinstance(self.choices, Mapping) else {"": self.choices}
