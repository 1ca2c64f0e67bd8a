"""Numbers of each student's own, so that no two solve an exercise with the same ones.

They follow from what she types to say who she is, so her grader knows them, and she may compute
them wherever she likes. They stop copying, not a friend who explains.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from course_utils.checks.exercise import Arguments, Exercise


def yours(number: str, student: str, **choices: Sequence[object]) -> dict[str, object]:
    """Return a student's own numbers for an exercise: one of the choices for each name."""
    said = student.strip().casefold()
    return {
        name: values[_drawn(f"{number} {said} {name}", len(values))]
        for name, values in choices.items()
    }


def with_numbers(exercise: Exercise, numbers: Mapping[str, object]) -> Exercise:
    """Return an exercise in which these arguments have these values: the others are left."""
    names = exercise.parameters
    left = [name for name in names if name not in numbers]

    def put_in(function: Callable[..., object]) -> Callable[..., object]:
        @functools.wraps(function)
        def of_the_others(*arguments: object) -> object:
            given = {**numbers, **dict(zip(left, arguments, strict=True))}
            return function(*(given[name] for name in names))

        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        made: Any = of_the_others
        made.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in left])
        return of_the_others

    def others(arguments: Arguments) -> Arguments:
        return tuple(a for name, a in zip(names, arguments, strict=True) if name in left)

    return replace(
        exercise,
        reference=put_in(exercise.reference),
        cases=lambda: [others(case) for case in exercise.cases()] if left else [()],
        misconceptions=tuple(replace(m, how=put_in(m.wrong)) for m in exercise.misconceptions),
        example=None if exercise.example is None else others(exercise.example),
        variants={},
    )


def in_words(numbers: Mapping[str, object]) -> str:
    """Return numbers as a student reads them."""
    return ", ".join(f"{name} = {value}" for name, value in numbers.items())


def _drawn(said: str, below: int) -> int:
    return int.from_bytes(hashlib.sha256(said.encode("utf-8", "replace")).digest()[:8]) % below
