"""What an exercise is: a reference, inputs to try, the mistakes people make, three hints."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from course_utils.checks.change import Change

Arguments = tuple[Any, ...]  # of one case
Answer = Callable[..., Any]  # what a learner writes, a reference, a wrong version
Choices = Sequence[Any]

KINDS_OF_EXERCISES = {
    "code": "code a formula",
    "predict": "predict",
    "derive": "derive",
    "read": "read code",
    "debug": "find the bug",
    "set": "set gates by hand",
    "judge": "judge evidence",
    "design": "design a control",
    "build": "build and run a network",
}


@dataclass(frozen=True)
class Misconception:
    """A wrong version that runs, and what to tell somebody whose answer behaves like it.

    It is made by a function, or by a `Change` of the reference's text; an exercise turns its
    changes into functions.
    """

    name: str
    how: Answer | Change
    message: str

    @property
    def wrong(self) -> Answer:
        """Return the wrong version as a function."""
        if isinstance(self.how, Change):
            raise TypeError(f"{self.name!r} is a change of an exercise's text: put it into one")
        return self.how


@dataclass(frozen=True)
class Exercise:
    """One exercise of a lecture.

    `cases()` returns argument tuples of pairwise different sizes, the smallest first: its numbers
    are shown. An exercise without arguments, such as a prediction, has the one case `()`.

    The reference's value says which kind of answer is expected: a number, an array, a text, a set,
    several values or a dict with names; the answer may be written with math, NumPy, torch or lists.
    A `reserved` one has no reference but what it gives for its example: it is judged by the
    instructor, whose full file has this digest.

    `variants` are arguments whose value each student draws from her own name (`checks/yours.py`):
    her function has only the others.

    Where many answers are right, `effect(answer, *arguments)` returns what the answer does, best
    as a dict of named numbers, and only that is compared.
    """

    number: str
    task: str
    reference: Answer
    cases: Callable[[], list[Arguments]]
    misconceptions: tuple[Misconception, ...]
    hints: tuple[str, ...]  # where to look, then how, then nearly all
    kind: str = "code"  # of KINDS_OF_EXERCISES
    takes: str = ""  # types and shapes: "u, h_before, x: numbers"
    gives: str = ""  # "a number", "a matrix (H, H)"
    example: Arguments | None = None  # arguments; the reference says what comes out
    choices: Choices | Mapping[str, Choices] = ()  # all that may be answered, or for each name
    reasons: Mapping[Any, str] = field(default_factory=dict)  # choice, or (name, choice) -> why not
    effect: Answer | None = None
    gradients: bool = False  # is it about gradients? then they are compared too
    tolerance: float = 1e-6
    precise: bool = False  # float64 is the point: float32 is refused
    reserved: str = ""  # sha256 of the file that stays with the instructor
    variants: Mapping[str, Choices] = field(default_factory=dict)  # arguments fixed by student

    def __post_init__(self) -> None:
        """Turn the changes into functions."""
        made = tuple(
            replace(m, how=m.how.made_in(self.reference, f'exercise {self.number}, "{m.name}"'))
            if isinstance(m.how, Change)
            else m
            for m in self.misconceptions
        )
        object.__setattr__(self, "misconceptions", made)

    @property
    def function(self) -> str:
        """Return the name of the function that the learner writes."""
        return self.reference.__name__

    @property
    def parameters(self) -> list[str]:
        """Return the names of the arguments."""
        return list(inspect.signature(self.reference).parameters)

    @property
    def options(self) -> Mapping[str, Choices]:
        """Return what may be answered by name; the only answer's name is empty."""
        return self.choices if isinstance(self.choices, Mapping) else {"": self.choices}
