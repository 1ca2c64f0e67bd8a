"""Judge outside what an answer returned inside: the house's own judge meets a recording."""

from __future__ import annotations

import linecache
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import torch

from course_utils.checks.judging.apart import judge_safely
from course_utils.checks.judging.judge import TO_TRY, Verdict
from course_utils.checks.judging.run import STYLES
from course_utils.classroom.runner.functions import floating, replaced
from course_utils.classroom.runner.packed import NotPlain, unpack
from course_utils.classroom.runner.pool import Ran
from course_utils.classroom.runner.questions import Questions, hash_of, key_of

Outcomes = Mapping[tuple[int, int], Mapping[str, Any]]  # by style and case
FILE = "<what the answer returned>"
SLEPT = "stopped: it neither ended nor computed. Does it wait for something?"
OFTEN = "a function that yours is given is called too often. Does every loop end?"
STOPPED = "stopped before it ended: it takes too long. Does every loop end?"
DIED = "your function ends Python itself. Is there an exit() in it, or does it take all memory?"
FLOODED = "your function returns more than a page could hold."
MANY = 100  # calls, by one answer, of the functions that it is given


@dataclass(frozen=True)
class Judged:
    """The verdict on one exercise of one notebook, and what an instructor may want to know."""

    kind: str
    message: str
    returned: str = ""  # a hash of what it gave for the first case: alike wrongs have the same
    text: str = ""  # the answer, with what it stands on
    form: str = ""
    flags: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return it as it is kept."""
        return asdict(self)


def judged(asked: Questions, ran: Ran) -> Judged:
    """Return what to say of an answer, from what its process told."""
    lines = list(ran.lines)
    first = lines.pop(0) if lines and "answer" in lines[0] else {}
    answer, said_flags = first.get("answer"), first.get("flags")
    answer = answer if isinstance(answer, dict) else {}
    flags = [str(flag) for flag in said_flags] if isinstance(said_flags, list) else []
    status = answer.get("status", "")
    if ran.noise:
        flags.append("writes where only results go")
    if status == "missing":
        flags.append("the stub is gone")
    verdict, returned = _verdict(asked, ran, status, str(answer.get("said", "")), lines)
    return Judged(
        verdict.kind,
        verdict.message,
        returned,
        str(answer.get("text", ""))[:20_000],
        str(answer.get("form", "")),
        tuple(flags),
    )


def _verdict(
    asked: Questions, ran: Ran, status: str, said: str, lines: list[dict[str, object]]
) -> tuple[Verdict, str]:
    exercise = asked.exercise
    if status in ("untouched", "missing"):
        return Verdict(exercise.number, "not attempted", "Not attempted."), ""
    if status == "broken":
        return Verdict(exercise.number, "error", f"the cell is no Python: {said}"), ""
    early = _ended_early(ran, status, lines)
    if early is not None:
        return Verdict(exercise.number, *early), ""
    try:
        answer, returned = _recorded(asked, lines)
    except NotPlain as error:
        return Verdict(exercise.number, "error", f"{error}."), ""
    verdict = judge_safely(exercise, answer, lambda text: None)
    return replace(verdict, message=_message(asked, verdict), printed=""), returned


def _message(asked: Questions, verdict: Verdict) -> str:
    """Return what is said, without a case to try where a student's machine has another one."""
    return verdict.message.partition(TO_TRY)[0] if asked.unseen else verdict.message


def _ended_early(ran: Ran, status: str, lines: list[dict[str, object]]) -> tuple[str, str] | None:
    """Return the verdict on an answer that did not come to its end."""
    if ran.flooded:
        return "error", FLOODED
    if ran.slept:  # or it waited for answers, which take their time on a busy machine
        return ("error", OFTEN) if ran.asked > MANY else ("stopped", SLEPT)
    for line in lines:
        if "stopped" in line:
            return "stopped", str(line["stopped"])[:400]
        if "failed" in line:
            kind, said, where = _three(line["failed"])
            at = f" in the line `{where.strip()}`" if where else ""
            return "error", f"your cell stops{at}: {kind}: {said}"
    if ran.code in (-9, -24):
        return "stopped", STOPPED
    if ran.code or status != "there" or not lines:
        return "error", DIED
    return None


def _recorded(asked: Questions, lines: Sequence[Mapping[str, object]]) -> tuple[object, str]:
    """Return the answer as a recording, and a hash of what it returned first."""
    try:
        if "is" in lines[0]:
            return unpack(lines[0]["is"]), hash_of(lines[0]["is"])
        outcomes = {_place(asked, line): line for line in lines}
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise NotPlain("what came back is damaged") from error
    values = [line.get("value", line.get("raised")) for line in outcomes.values()]
    return Recording(asked.keys, outcomes), hash_of(values)


def _place(asked: Questions, line: Mapping[str, Any]) -> tuple[int, int]:
    """Return which style and case a line is about: one of those that were asked."""
    style, case = int(line["style"]), int(line["case"])
    if not (0 <= style < len(STYLES) and 0 <= case < len(asked.packed)):
        raise NotPlain("what came back is damaged")
    return style, case


class Recording:
    """An answer that gives what the real one gave: to the same arguments, in the same style."""

    def __init__(self, keys: Mapping[str, tuple[int, int]], outcomes: Outcomes):
        self.keys, self.outcomes = keys, outcomes
        self.__code__ = compile("raise error", FILE, "exec")  # where the judge looks for a line

    def __call__(self, *arguments: object) -> object:
        """Return, raise or change what the real answer did."""
        outcome = self.outcomes.get(self.keys[key_of(arguments)])
        if outcome is None:
            raise RuntimeError("your function ends Python itself")
        if "raised" in outcome:
            _raise(*_three(outcome["raised"]))
        for place, packed in outcome.get("changed", []):
            _become(arguments[place], unpack(packed))
        value = unpack(outcome["value"])
        gradients = outcome.get("gradients")
        return _with_gradients(value, arguments, gradients) if gradients else value


def _raise(kind: str, said: str, line: str) -> None:
    """Raise an error of that name as if it came from the student's line."""
    name = kind if kind.isidentifier() else "Exception"
    linecache.cache[FILE] = (len(line), None, [line + "\n"], FILE)
    exec(compile("raise error", FILE, "exec"), {"error": type(name, (Exception,), {})(said)})


def _become(argument: object, changed: object) -> None:
    """Change an argument in place, as the answer did."""
    if isinstance(argument, torch.Tensor) and isinstance(changed, torch.Tensor):
        if argument.shape == changed.shape:
            argument.detach().copy_(changed)
    elif isinstance(argument, np.ndarray) and isinstance(changed, np.ndarray):
        if argument.shape == changed.shape:
            argument[...] = changed
    elif isinstance(argument, list) and isinstance(changed, list):
        argument[:] = changed
    elif isinstance(argument, dict) and isinstance(changed, dict):
        argument.clear()
        argument.update(changed)


class _Told(torch.autograd.Function):
    """Values whose gradients are those that the answer's own had."""

    @staticmethod
    def forward(ctx: Any, gradients: Any, values: Any, *inputs: torch.Tensor) -> Any:
        ctx.gradients = gradients
        return tuple(value.clone() for value in values)

    @staticmethod
    def backward(ctx: Any, *_: torch.Tensor) -> Any:
        return (None, None, *ctx.gradients)


def _with_gradients(value: object, arguments: Sequence[object], packed: Sequence[object]) -> object:
    pairs = [(a, unpack(g)) for a, g in zip(arguments, packed, strict=False)]
    pairs = [(a, g) for a, g in pairs if isinstance(g, torch.Tensor) and _takes(a, g)]
    leaves = [*floating(value)]
    if not pairs or not leaves:
        return value
    told: Any = _Told.apply  # which PyTorch leaves without types
    made = iter(told([g for _, g in pairs], leaves, *[a for a, _ in pairs]))
    return replaced(value, made)


def _takes(argument: object, gradient: torch.Tensor) -> bool:
    return isinstance(argument, torch.Tensor) and argument.shape == gradient.shape


def _three(said: object) -> tuple[str, str, str]:
    parts = [str(part) for part in said] if isinstance(said, list) else []
    kind, words, line = [*parts, "", "", ""][:3]
    return kind or "Exception", words, line
