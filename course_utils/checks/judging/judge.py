"""Compare an answer with the reference; when it differs, find which known mistake it makes."""

from __future__ import annotations

import ast
import dis
import linecache
import re
import traceback
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import torch

from course_utils.checks.exercise import Answer, Arguments, Exercise
from course_utils.checks.judging.compare import Difference, compare, compare_gradients
from course_utils.checks.judging.put_back import put_back
from course_utils.checks.judging.run import (
    FLOAT64,
    STYLES,
    Returned,
    Style,
    effect_of,
    gradients_of,
    run,
)
from course_utils.checks.judging.wording import kind_of, printable, shortened, written

CHECKS = Path(__file__).parents[1]
TORCH = Path(torch.__file__).parent
MOST_PRINTED = 2000  # letters of what an answer prints
MOST_SHOWN = 6  # numbers of an argument
HIDDEN = re.compile(r"a tensor of shape|an array of shape|…")  # a case that is not written out
TO_TRY = " To try this case: "
DEEPEST = 200  # frames of an error to look at: an endless recursion has millions


@dataclass(frozen=True)
class Verdict:
    """The outcome of one check.

    `kind`: ok, handed in, not attempted, misconception, wrong, error or stopped.
    """

    number: str
    kind: str
    message: str
    printed: str = ""


class Trial(NamedTuple):
    """Where an answer first leaves the reference, and in which style of numbers that was."""

    kind: str  # wrong, or error
    words: str
    style: Style
    reason: bool = False


class Printed(StringIO):
    """What was printed, up to a length."""

    def write(self, text: str) -> int:
        """Keep a text while there is room."""
        room = MOST_PRINTED - self.tell()
        if room > 0:
            super().write(text if len(text) <= room else text[:room] + " …")
        return len(text)


def judge(exercise: Exercise, answer: object) -> Verdict:
    """Return a verdict on an answer; raise nothing because of it, and leave all else as it was."""
    printed, later = Printed(), Printed()
    try:
        with put_back(), redirect_stderr(later):
            verdict = _judge(exercise, answer, printed, later)
    except KeyboardInterrupt as error:
        verdict = Verdict(exercise.number, "stopped", where_it_was(error, answer))
    except BaseException as error:  # what an object of the learner's does when it is looked at
        words = f"the answer cannot be judged: looking at it raises {_kind_of_error(error)}."
        verdict = Verdict(exercise.number, "error", words)
    said, shown = map(printable, (verdict.message, printed.getvalue()))
    return Verdict(verdict.number, verdict.kind, said, shown)


def _judge(exercise: Exercise, answer: object, printed: Printed, later: Printed) -> Verdict:
    if answer is ... or (callable(answer) and is_untouched(answer)):
        return Verdict(exercise.number, "not attempted", "Not attempted yet. No hurry.")
    if not callable(answer) and not exercise.parameters:  # a prediction needs no function
        return _judge(exercise, _returning(answer), printed, later)
    if not callable(answer):
        return Verdict(
            exercise.number,
            "error",
            f"Give the check your function itself, {exercise.function}, not {kind_of(answer)}.",
        )
    cases = exercise.cases()
    trial = first_difference(exercise, answer, cases, printed)
    if trial is None:
        return right(exercise)
    if trial.reason:
        return Verdict(exercise.number, "misconception", trial.words)
    with redirect_stdout(later):  # what the answer prints was already seen
        for misconception in exercise.misconceptions:
            if behaves_like(exercise, answer, misconception.wrong, cases, trial.style):
                return Verdict(exercise.number, "misconception", misconception.message)
    return Verdict(exercise.number, trial.kind, trial.words)


def _returning(value: object) -> Answer:
    return lambda: value


def right(exercise: Exercise) -> Verdict:
    """Return the verdict on an answer that agrees with the reference."""
    if exercise.reserved:
        tried = "Right for the example" if exercise.example else "An answer of the right kind"
        words = f"{tried}. It will be judged by your instructor."
        return Verdict(exercise.number, "handed in", words)
    if exercise.choices:
        return Verdict(exercise.number, "ok", "Correct.")
    if exercise.effect:
        return Verdict(exercise.number, "ok", "Correct: it does what it should.")
    gradients = ", and its gradients too." if exercise.gradients else "."
    return Verdict(exercise.number, "ok", f"Correct, values and shapes{gradients}")


def is_untouched(answer: Answer) -> bool:
    """Return whether a function does nothing at all: a body of `...`, `pass` or a docstring."""
    code = getattr(answer, "__code__", None)
    if code is None:
        return False
    work = [step for step in dis.get_instructions(code) if step.opname not in ("RESUME", "NOP")]
    returning = ("LOAD_CONST", "RETURN_VALUE", "RETURN_CONST")
    return all(step.opname in returning and step.argval is None for step in work)


def first_difference(
    exercise: Exercise, answer: Answer, cases: list[Arguments], printed: Printed | None = None
) -> Trial | None:
    """Return where the answer first differs from the reference, None when it never does.

    An answer that stops in one style of numbers is tried in the others: NumPy where PyTorch was
    given, float32. Of several failures the first is reported.
    """
    first = None
    for style in STYLES if not (exercise.gradients or exercise.precise) else STYLES[:1]:
        trial = _try_style(exercise, answer, cases, style, printed or Printed())
        if trial is None or trial.kind == "wrong":
            return trial
        first = first or trial
        printed = None
    return first


def _try_style(
    exercise: Exercise, answer: Answer, cases: list[Arguments], style: Style, printed: Printed
) -> Trial | None:
    for place, arguments in enumerate(cases):
        expected = run(exercise, exercise.reference, arguments)
        try:
            with redirect_stdout(printed if place == 0 else Printed()):
                found = run(exercise, answer, arguments, style)
                difference = _difference(exercise, expected, found, arguments, style)
        except KeyboardInterrupt:  # the learner's own way out of an endless loop
            raise
        except BaseException as error:
            words = _in_words(error, answer, exercise, arguments, place)
            return Trial("error", words, style)
        if difference:
            words = _told(exercise, difference, found, arguments, place)
            return Trial("wrong", words, style, difference.reason)
    return None


def _difference(
    exercise: Exercise, expected: Returned, found: Returned, arguments: Arguments, style: Style
) -> Difference:
    """Compare kinds of answers, then what they do, then what they change, then gradients."""
    near = style.tolerance
    difference = compare(exercise, expected.value, found.value, near)
    if exercise.effect and not difference.kind:
        wanted, done = (effect_of(exercise, o.value, arguments) for o in (expected, found))
        difference = compare(exercise, wanted, done, near)
    if difference:
        return difference
    if changed := [place for place in found.changed if place not in expected.changed]:
        return Difference(_changing(exercise, changed[0]) + " Work on a new one instead.")
    if not exercise.gradients:
        return difference
    return compare_gradients(exercise, gradients_of(expected), gradients_of(found), near)


def _changing(exercise: Exercise, place: int) -> str:
    return f"your function changes its argument {exercise.parameters[place]} in place."


def _told(
    exercise: Exercise,
    difference: Difference,
    found: Returned,
    arguments: Arguments,
    place: int,
) -> str:
    """Return a difference with the numbers that show it, and what is asked for if that is wrong."""
    if difference.reason:
        return str(difference)
    words = f"{_with(exercise, arguments)}{difference}"
    if found.changed and "in place" not in difference:
        words += f" Also, {_changing(exercise, found.changed[0])}"
    if difference.kind and exercise.gives:
        words += f" Asked for: {exercise.gives}."
    return words + _to_try(exercise, arguments, place)


def behaves_like(
    exercise: Exercise,
    answer: Answer,
    wrong: Answer,
    cases: list[Arguments],
    style: Style = FLOAT64,
) -> bool:
    """Return whether the answer gives what a wrong version gives, or fails the same way."""
    for arguments in cases:
        theirs = _outcome(exercise, wrong, arguments, FLOAT64)
        ours = _outcome(exercise, answer, arguments, style)
        if isinstance(theirs, str) or isinstance(ours, str):
            if theirs != ours:
                return False
        elif _difference(exercise, theirs, ours, arguments, style):
            return False
    return True


def _outcome(
    exercise: Exercise, function: Answer, arguments: Arguments, style: Style
) -> Returned | str:
    """Return what comes out, or which error: its name and words, whatever the sizes in them."""
    try:
        return run(exercise, function, arguments, style)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return re.sub(r"\d+", "#", named(error))


def _kind_of_error(error: BaseException) -> str:
    try:
        return shortened(str(type(error).__name__))
    except BaseException:
        return "an error without a name"


def named(error: BaseException) -> str:
    """Return the kind of an error and what it says, whatever that raises."""
    try:
        said = str(error)
    except BaseException:  # an exception of the learner's own that cannot say what it is
        said = ""
    return f"{_kind_of_error(error)}: {said}"


def _with(exercise: Exercise, arguments: Arguments) -> str:
    """Return the arguments as a learner can follow them by hand, as far as they are short."""
    named = zip(exercise.parameters, arguments, strict=False)
    shown = ", ".join(
        f"{name} = {shortened(written(a, MOST_SHOWN))}" for name, a in named if not callable(a)
    )
    return f"With {shown}: " if shown else ""


def _to_try(exercise: Exercise, arguments: Arguments, place: int) -> str:
    """Return how to repeat a case that the sentence cannot show."""
    said = _with(exercise, arguments)
    if not (HIDDEN.search(said) or any(map(callable, arguments))):
        return ""
    call = f'{exercise.function}(*case("{exercise.number}", {place + 1}))'
    return f"{TO_TRY}from course_utils.checks import case; {call}"


def _in_words(
    error: BaseException, answer: object, exercise: Exercise, arguments: Arguments, place: int
) -> str:
    if "leaf Variable that requires grad" in (said := named(error)):
        said = "it changes one of its arguments in place. Work on a new tensor instead."
    line = own_line(error, answer)
    where = f" in the line `{line.strip()}`" if line else ""
    stops = f"{_with(exercise, arguments)}your function stops{where}: {shortened(said, 400)}"
    return stops + _to_try(exercise, arguments, place)


def own_line(error: BaseException, answer: object) -> str:
    """Return the learner's line that an error passed through."""
    frame = _own_frame(error, answer)
    return frame.line or "" if frame else ""


def _own_frame(error: BaseException, answer: Any) -> traceback.FrameSummary | None:
    frames = traceback.extract_tb(error.__traceback__, limit=-DEEPEST)
    outside = [frame for frame in frames if CHECKS not in Path(frame.filename).parents]
    try:
        file = answer.__code__.co_filename
    except BaseException:  # not a function, or one that does not want to say
        file = outside[0].filename if outside else ""
    own = [frame for frame in outside if frame.filename == file]
    return own[-1] if own and TORCH not in Path(own[-1].filename).parents else None


def where_it_was(error: BaseException, answer: object) -> str:
    """Say in which line or loop an answer was when it was stopped."""
    frame = _own_frame(error, answer)
    if frame is None:
        return "stopped before it ended."
    loop = loop_around(frame.filename, frame.lineno or 0)
    if loop:
        return f"stopped in the line `{loop}`: does the loop end?"
    return f"stopped in the line `{(frame.line or '').strip()}`."


def loop_around(file: str, line: int) -> str:
    """Return the head of the innermost loop around a line of a file or cell."""
    lines = linecache.getlines(file)
    try:
        nodes = ast.walk(ast.parse("".join(lines)))
    except SyntaxError:  # a cell with magics
        return ""
    around = [
        node.lineno
        for node in nodes
        if isinstance(node, ast.While | ast.For) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return lines[max(around) - 1].strip() if around else ""
