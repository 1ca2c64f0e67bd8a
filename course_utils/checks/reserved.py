"""Reserved exercises: learners get the question and its example, the instructor keeps the answer.

`reserve(full)` returns the text of the file to hand out. It holds the digest of the full file, and
`full_exercise(full, reserved)` reads that one only if it is the one that was handed out.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from course_utils.checks.exercise import Exercise
from course_utils.checks.own_exercise import read_own
from course_utils.checks.yours import with_numbers

SAID = ("kind", "takes", "gives", "choices", "tolerance", "precise")  # what the learner may know


def digest_of(full: Path) -> str:
    """Return the sha256 of a file's text, whatever its line endings."""
    text = full.read_bytes().replace(b"\r\n", b"\n")
    return hashlib.sha256(text).hexdigest()


def full_exercise(full: Path, reserved: Exercise) -> Exercise:
    """Return the exercise that judges a reserved one; refuse any file but the one handed out."""
    if (digest := digest_of(full)) != reserved.reserved:
        raise ValueError(
            f"{full.name} is not the file that exercise {reserved.number} was made from: its "
            f"digest is {digest[:12]}…, not {reserved.reserved[:12] or 'any'}…"
        )
    return read_own(full)


def reserve(full: Path, hints: int = 0) -> str:
    """Return the file that learners get in place of a full one, with the first few of its hints."""
    exercise = read_own(full)
    if exercise.reserved:
        raise ValueError(f"{full.name} is already reserved: the instructor has the full file")
    varied = tuple(exercise.variants)
    if varied:
        exercise = with_numbers(exercise, {name: v[0] for name, v in exercise.variants.items()})
    if exercise.parameters and exercise.example is None:
        raise ValueError(f"{full.name} needs an example: it is all that a check can try")
    by_kind = bool(varied) or exercise.effect is not None or exercise.example is None
    fields = {"number": exercise.number, "task": exercise.task}
    fields |= {name: getattr(exercise, name) for name in SAID if getattr(exercise, name)}
    lines = [f"    {name}={as_code(value)}," for name, value in fields.items()]
    lines += [
        f"    reference={exercise.function},",
        *([f"    example={as_code(exercise.example)},"] if exercise.example is not None else []),
        f"    cases=lambda: [{as_code(exercise.example or ())}],",
        *(["    effect=any_of_its_kind,"] if by_kind else []),
        f"    hints={as_code(exercise.hints[:hints])},",
        "    misconceptions=(),",
        f"    reserved={digest_of(full)!r},",
    ]
    return _FILE.format(
        number=exercise.number,
        signature=_signature(full, exercise.function, varied),
        given=as_code(_given(exercise, by_kind)),
        fields="\n".join(lines),
    )


_FILE = '''"""Exercise {number}, reserved: what judges it stays with the instructor."""

import numpy as np
import torch

from course_utils.checks.exercise import Exercise
from course_utils.checks.reserved import any_of_its_kind


{signature}
    return {given}  # for the example, or an answer of the same kind


EXERCISE = Exercise(
{fields}
)
'''


def any_of_its_kind(answer: object, *arguments: object) -> bool:
    """Accept every answer of the right kind: only the instructor knows which one is right."""
    return True


def as_code(value: object) -> str:
    """Return a value as Python that recreates it, to the last digit."""
    if isinstance(value, torch.Tensor):
        made = f"torch.tensor({as_code(value.tolist())}, dtype={value.dtype})"
        return made if value.numel() else f"{made}.reshape({tuple(value.shape)})"
    if isinstance(value, np.ndarray | np.generic):
        made = f"np.array({as_code(value.tolist())}, dtype={str(value.dtype)!r})"
        return made if value.size else f"{made}.reshape({value.shape})"
    if isinstance(value, float) and value - value != 0:  # infinite, or NaN
        return f"float({str(value)!r})"
    if isinstance(value, bool | int | float | complex | str | None):
        return repr(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{as_code(k)}: {as_code(v)}" for k, v in value.items()) + "}"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(as_code, value)))}}}" if value else "set()"
    if isinstance(value, tuple | list):
        inside = ", ".join(map(as_code, value))
        comma = "," if len(value) == 1 else ""
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{comma})"
    kind = type(value).__name__
    raise ValueError(
        f"the example holds a {kind}: choose one of numbers, texts, lists and tensors, which can "
        "be written down"
    )


def _given(exercise: Exercise, by_kind: bool) -> object:
    """Return what is handed out for the answer: the example's, or one that says its kind only."""
    value = exercise.reference(*(exercise.example or ()))
    return _blank(exercise, "", value) if by_kind else value


def _blank(exercise: Exercise, name: str, value: Any) -> Any:
    """Return a value of the same kind that does not tell the answer."""
    if isinstance(value, str):
        return next(iter(exercise.options.get(name, exercise.options.get("", ()))), "")
    if isinstance(value, Mapping):
        return {key: _blank(exercise, str(key), part) for key, part in value.items()}
    if isinstance(value, set | frozenset):
        return set()
    if isinstance(value, tuple | list):
        return type(value)(_blank(exercise, name, part) for part in value)
    return value * 0 if not isinstance(value, bool) else False


def _signature(full: Path, function: str, varied: Sequence[str]) -> str:
    """Return the head of the reference as learners know it: no types, no numbers of their own."""
    for node in ast.parse(full.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            for argument in ast.walk(node.args):
                if isinstance(argument, ast.arg):
                    argument.annotation = None
            kept = [argument for argument in node.args.args if argument.arg not in varied]
            if varied:
                node.args.args, node.args.defaults = kept, []
            return f"def {function}({ast.unparse(node.args)}):"
    raise ValueError(f"{full.name} has no function {function} of its own")
