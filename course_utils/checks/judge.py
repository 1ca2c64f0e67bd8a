"""Compare an answer with the reference; when it differs, find whose mistake it makes."""

from __future__ import annotations

import dis
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch

from course_utils.checks.compare import Outcome, compare, run
from course_utils.checks.exercise import Exercise

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Verdict:
    """The outcome of one check. `kind`: ok, not attempted, misconception, wrong or error."""

    number: str
    kind: str
    message: str


class Difference(NamedTuple):
    """Where an answer first leaves the reference, in words."""

    words: str


def judge(exercise: Exercise, answer: Any) -> Verdict:
    """Return a verdict on a learner's function; never raise because of it."""
    if not callable(answer):
        return Verdict(
            exercise.number,
            "error",
            f"Give the check your function itself, {exercise.function}, "
            f"not a value of type {type(answer).__name__}.",
        )
    if is_untouched(answer):
        return Verdict(exercise.number, "not attempted", "Not attempted yet. No hurry.")
    cases = exercise.cases()
    difference = first_difference(exercise, answer, cases)
    if difference is None:
        return right(exercise)
    for misconception in exercise.misconceptions:
        if behaves_like(exercise, answer, misconception.wrong, cases):
            return Verdict(exercise.number, "misconception", misconception.message)
    if isinstance(difference, Failure):
        return Verdict(exercise.number, "error", difference.words)
    return Verdict(exercise.number, "wrong", difference.words)


def right(exercise: Exercise) -> Verdict:
    """Return the verdict on an answer that agrees with the reference."""
    gradients = ", and its gradients too." if exercise.gradients else "."
    return Verdict(exercise.number, "ok", f"Correct, values and shapes{gradients}")


class Failure(Difference):
    """The answer did not run to its end."""


def is_untouched(answer: Callable) -> bool:
    """Return whether a function does nothing at all: a body of `...`, `pass` or a docstring."""
    code = getattr(answer, "__code__", None)
    if code is None:
        return False
    work = [step for step in dis.get_instructions(code) if step.opname not in ("RESUME", "NOP")]
    returning = ("LOAD_CONST", "RETURN_VALUE", "RETURN_CONST")
    return all(step.opname in returning and step.argval is None for step in work)


def first_difference(exercise: Exercise, answer: Callable, cases: list[tuple]) -> Difference | None:
    """Return where the answer first differs from the reference, None when it never does."""
    for arguments in cases:
        expected = run(exercise.reference, arguments, exercise.gradients)
        try:
            found = run(answer, arguments, exercise.gradients)
        except (Exception, SystemExit) as error:
            return Failure(_in_words(error, arguments))
        difference = compare(expected, found, exercise.tolerance)
        if difference:
            return Difference(f"{_with(arguments)}: {difference}")
    return None


def behaves_like(exercise: Exercise, answer: Callable, wrong: Callable, cases: list[tuple]) -> bool:
    """Return whether the answer gives what a wrong version gives, or fails the same way."""
    for arguments in cases:
        theirs, ours = (_outcome(f, arguments, exercise.gradients) for f in (wrong, answer))
        if isinstance(theirs, type) or isinstance(ours, type):
            if theirs is not ours:
                return False
        elif compare(theirs, ours, exercise.tolerance):
            return False
    return True


def _outcome(function: Callable, arguments: tuple, gradients: bool) -> Outcome | type:
    try:
        return run(function, arguments, gradients)
    except (Exception, SystemExit) as error:
        return type(error)


def _with(arguments: tuple) -> str:
    return "With " + ", ".join(_in_short(a) for a in arguments if not callable(a))


def _in_short(argument: Any) -> str:
    if isinstance(argument, torch.Tensor):
        return f"a tensor {tuple(argument.shape)}"
    if isinstance(argument, list | tuple):
        return f"[{', '.join(_in_short(item) for item in argument)}]"
    return repr(argument)


def _in_words(error: BaseException, arguments: tuple) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if Path(frame.filename).parent != HERE]
    line = f" in the line `{theirs[0].line}`" if theirs and theirs[0].line else ""
    return f"{_with(arguments)} your function stops{line}: {type(error).__name__}: {error}"
