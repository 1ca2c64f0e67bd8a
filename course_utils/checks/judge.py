"""Compare an answer with the reference; when it differs, find whose mistake it makes."""

from __future__ import annotations

import dis
import re
import traceback
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import torch

from course_utils.checks.compare import Outcome, compare, run
from course_utils.checks.exercise import Exercise

HERE = Path(__file__).parent
TORCH = Path(torch.__file__).parent
MOST_LETTERS = 400  # of what an error says


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
    """Return a verdict on a learner's function; never raise because of it.

    The lecture's random numbers go on after it as if nothing had been judged.
    """
    with torch.random.fork_rng(devices=[]):
        return _judge(exercise, answer)


def _judge(exercise: Exercise, answer: Any) -> Verdict:
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
    with redirect_stdout(StringIO()):  # what the answer prints has been seen once
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
        except KeyboardInterrupt:  # the learner's own way out of a loop without end
            raise
        except BaseException as error:
            return Failure(_in_words(error, arguments))
        difference = compare(expected, found, exercise.tolerance)
        if difference:
            return Difference(f"{_with(arguments)}: {difference}")
    return None


def behaves_like(exercise: Exercise, answer: Callable, wrong: Callable, cases: list[tuple]) -> bool:
    """Return whether the answer gives what a wrong version gives, or fails the same way."""
    for arguments in cases:
        theirs, ours = (_outcome(f, arguments, exercise.gradients) for f in (wrong, answer))
        if isinstance(theirs, str) or isinstance(ours, str):
            if theirs != ours:
                return False
        elif compare(theirs, ours, exercise.tolerance):
            return False
    return True


def _outcome(function: Callable, arguments: tuple, gradients: bool) -> Outcome | str:
    """Return what comes out, or which error: its name and words, whatever the sizes in them."""
    try:
        return run(function, arguments, gradients)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return re.sub(r"\d+", "#", _named(error))


def _named(error: BaseException) -> str:
    try:
        said = str(error)
    except Exception:  # an exception of the learner's own that cannot say what it is
        said = ""
    return f"{type(error).__name__}: {said}"


def _with(arguments: tuple) -> str:
    return "With " + ", ".join(_in_short(a) for a in arguments if not callable(a))


def _in_short(argument: Any) -> str:
    if isinstance(argument, torch.Tensor):
        return f"a tensor {tuple(argument.shape)}"
    if isinstance(argument, list | tuple):
        return f"[{', '.join(_in_short(item) for item in argument)}]"
    return _shortened(repr(argument))


def _in_words(error: BaseException, arguments: tuple) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    outside = [frame for frame in frames if HERE not in Path(frame.filename).parents]
    theirs = outside[0].line if outside and TORCH not in Path(outside[0].filename).parents else ""
    line = f" in the line `{theirs}`" if theirs else ""
    return f"{_with(arguments)} your function stops{line}: {_shortened(_named(error))}"


def _shortened(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else text[:MOST_LETTERS] + "…"
