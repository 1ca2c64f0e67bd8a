"""In a judged process: take the answer out of its notebook, run it, say what it returned.

The first line that is told comes before any of the student's code has run; each case is one more.
What is told is data, never a verdict: this process knows inputs and no result.
"""

from __future__ import annotations

import json
import linecache
import os
import signal
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from types import FunctionType
from typing import Any, BinaryIO

from course_utils.checks.exercise import Exercise
from course_utils.checks.judging.judge import Printed, named, own_line, where_it_was
from course_utils.checks.judging.run import STYLES, Returned, Style, gradients_of, run
from course_utils.classroom.extract import IN_THE_CHECK, Page
from course_utils.classroom.runner.functions import called
from course_utils.classroom.runner.packed import NotPlain, pack, unpack
from course_utils.classroom.submission import Piece

CELL = "<answer>"
IN_CELL = FunctionType(compile("", CELL, "exec"), {})  # stands for whatever is written there
MOST_SAID = 400


def answer_job(job: Mapping[str, Any], given: Mapping[str, Any], told: Told) -> None:
    """Do one job: all that is there for one exercise in one notebook."""
    page = Page([Piece(*piece) for piece in job["pieces"]])
    found = page.answer(job["number"], job["function"], job["stub"], given.keys())
    told.say({"answer": found._asdict(), "flags": page.flags()})
    if found.status != "there":
        return
    linecache.cache[CELL] = (len(found.text), None, found.text.splitlines(keepends=True), CELL)
    for number in (signal.SIGXCPU, signal.SIGINT):
        signal.signal(number, _stop_once)
    try:
        space = {"__name__": "__main__", **given}
        with redirect_stdout(Printed()):
            exec(compile(found.text, CELL, "exec", dont_inherit=True), space)
        answer = space.get(IN_THE_CHECK, space.get(job["function"]))
        _run_all(job, answer, told)
    except KeyboardInterrupt as error:
        told.say({"stopped": where_it_was(error, IN_CELL)})
    except BaseException as error:
        told.say({"failed": _raised(error)})


class Told:
    """The way out, one line of JSON each; and the way back, where a case's function answers."""

    def __init__(self, out: BinaryIO, back: BinaryIO):
        self.out, self.back = out, back

    def say(self, what: Mapping[str, object]) -> None:
        """Tell one thing."""
        self.out.write(json.dumps(what).encode() + b"\n")
        self.out.flush()

    def ask(self, what: Mapping[str, object]) -> Mapping[str, object]:
        """Ask for what is computed outside."""
        self.say(what)
        answered: Mapping[str, object] = json.loads(self.back.readline())
        return answered

    def function(self, number: int) -> Callable[..., object]:
        """Return one of the case's functions, as an answer may call it."""
        return lambda *given, **named: called(self.ask, number, given, named)


def _run_all(job: Mapping[str, Any], answer: Any, told: Told) -> None:
    """Run every case, in the other styles of numbers too where one of them fails."""
    if not callable(answer):
        told.say({"is": pack(answer)})
        return
    exercise = Exercise(job["number"], "", _nothing, list, (), (), gradients=job["gradients"])
    for number, style in enumerate(STYLES if job["styles"] else STYLES[:1]):
        failed = False
        for place, packed in enumerate(job["cases"]):
            outcome = _outcome(exercise, answer, packed, style, told)
            told.say({"style": number, "case": place, **outcome})
            failed = failed or "raised" in outcome
        if not failed:
            return


def _outcome(
    exercise: Exercise, answer: Callable[..., object], packed: object, style: Style, told: Told
) -> dict[str, object]:
    arguments = tuple(unpack(packed, told.function))
    try:
        with redirect_stdout(Printed()):
            returned = run(exercise, answer, arguments, style)
            return _packed(exercise, returned)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return {"raised": _raised(error)}


def _packed(exercise: Exercise, returned: Returned) -> dict[str, object]:
    found: dict[str, object] = {"value": pack(returned.value)}
    if returned.changed:
        found["changed"] = [[place, pack(returned.inputs[place])] for place in returned.changed]
    if exercise.gradients:
        found["gradients"] = [pack(gradient) for gradient in gradients_of(returned)]
    return found


def _raised(error: BaseException) -> list[str]:
    kind, _, said = named(error).partition(": ")
    if isinstance(error, NotPlain):
        kind = "ValueError"
    return [kind, said[:MOST_SAID], own_line(error, IN_CELL)[:MOST_SAID]]


def _nothing() -> None:
    """Stand where an exercise has its reference."""


def _stop_once(number: int, frame: object) -> None:
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    raise KeyboardInterrupt


def close_all_but(kept: set[int]) -> None:
    """Close every file but these, and let nobody read or be read on 0, 1 and 2."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    first = 3
    for number in (*sorted(kept), os.sysconf("SC_OPEN_MAX")):
        os.closerange(first, number)
        first = number + 1
