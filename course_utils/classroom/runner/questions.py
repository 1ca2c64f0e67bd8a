"""What an answer is graded on: inputs that students have not seen, where they can be drawn."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import torch

from course_utils.checks.cases import drawn_from
from course_utils.checks.exercise import Exercise
from course_utils.checks.judging.run import STYLES, run
from course_utils.checks.own_exercise import faults_in
from course_utils.classroom.runner.packed import pack
from course_utils.classroom.runner.pool import Job
from course_utils.classroom.submission import Piece

DRAWS = 20  # seeds that are tried


@dataclass(frozen=True)
class Questions:
    """One exercise with its inputs, as they go to a judged process."""

    exercise: Exercise  # its cases are these
    packed: Sequence[object]
    functions: Sequence[Callable[..., object]]  # that inputs hold: they are answered outside
    keys: Mapping[str, tuple[int, int]]  # which style and case some arguments are
    unseen: bool  # do the inputs differ from those of a student's own checks?

    def job(self, key: object, pieces: Sequence[Piece], stub: str) -> Job:
        """Return the job of running what a notebook has for this exercise."""
        body = {
            "pieces": pieces,
            "number": self.exercise.number,
            "function": self.exercise.function,
            "stub": stub,
            "cases": self.packed,
            "gradients": self.exercise.gradients,
            "styles": not (self.exercise.gradients or self.exercise.precise),
        }
        return Job(key, body, self.functions)


def questions(exercise: Exercise, seed: int) -> Questions:
    """Draw the inputs of an exercise; a draw on which a mistake would pass is not taken."""
    seen = _hash_of_cases(exercise.cases())
    for draw in range(DRAWS):
        with drawn_from(seed + draw):
            cases = exercise.cases()
        drawn = replace(exercise, cases=_always(cases))
        if _hash_of_cases(cases) == seen:
            break  # this exercise's inputs are written down
        if not faults_in(drawn):
            return _asked(drawn, cases, unseen=True)
    return _asked(exercise, exercise.cases(), unseen=False)


def key_of(arguments: Sequence[object]) -> str:
    """Return the same text for the same arguments in the same style of numbers."""
    return hash_of([str(torch.get_default_dtype()), pack(tuple(arguments), [])])


def hash_of(packed: object) -> str:
    """Return a short hash of what `pack` made."""
    return hashlib.sha256(json.dumps(packed).encode()).hexdigest()[:16]


def _asked(exercise: Exercise, cases: list[tuple[object, ...]], unseen: bool) -> Questions:
    functions: list[Callable[..., object]] = []
    packed = [pack(arguments, functions) for arguments in cases]
    keys: dict[str, tuple[int, int]] = {}
    fixed = replace(exercise, cases=_always(cases))
    for number, style in enumerate(STYLES):
        for place, arguments in enumerate(cases):
            met: list[str] = []
            run(fixed, lambda *copies, met=met: met.append(key_of(copies)), arguments, style)
            keys.setdefault(met[0], (number, place))
    return Questions(fixed, packed, functions, keys, unseen)


def _always(cases: list[tuple[object, ...]]) -> Callable[[], list[tuple[object, ...]]]:
    return lambda: list(cases)


def _hash_of_cases(cases: list[tuple[object, ...]]) -> str:
    return hash_of([pack(arguments, []) for arguments in cases])
