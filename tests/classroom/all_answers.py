"""Every solution and every named mistake of the course, graded as if students had handed it in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from course_utils.checks.find_exercise import find, places
from course_utils.classroom.handin import stub_id
from course_utils.classroom.runner.pool import Job, pool
from course_utils.classroom.runner.questions import Questions, questions
from course_utils.classroom.runner.replay import judged
from course_utils.classroom.submission import Piece
from tests.classroom.school import mistaken
from tools.__main__ import ROOT

SEED = 2027
# what judged processes know here, and never in a class: mistakes that no text recreates
KNOWN = (
    "import math", "import torch", "import numpy as np",
    "from course_utils.checks.find_exercise import all_exercises",
    "EXERCISES = {number: exercise for number, (_, exercise) in all_exercises().items()}",
)  # fmt: skip


class Given(NamedTuple):
    """An answer, and what a check says of it."""

    number: str
    name: str
    text: str
    kind: str
    message: str


def given_to(number: str) -> Iterator[Given]:
    """Yield our solution and every named mistake of one exercise."""
    _, exercise = find(number)
    solution = ROOT / "solutions" / f"{places()[number].module}.py"
    yield Given(number, "our solution", solution.read_text(encoding="utf-8"), "ok", "")
    texts = {message: text for text, message in mistaken(number)}
    for k, mistake in enumerate(exercise.misconceptions):
        held = f"{exercise.function} = EXERCISES['{number}'].misconceptions[{k}].wrong"
        text = texts.get(mistake.message, held)
        yield Given(number, mistake.name, text, "misconception", mistake.message)


def told_otherwise(answers: Iterable[Given], workers: int = 2) -> list[str]:
    """Return a line for each answer that a grader judges otherwise than a check does."""
    asked: dict[str, Questions] = {}
    with pool(KNOWN, workers) as opened:
        found = opened.run(_job(one, asked) for one in answers)
        verdicts = [(job.key, judged(asked[job.key.number], ran)) for job, ran in found]
    return [
        f"{one.number}, {one.name}: {verdict.kind}: {verdict.message}"
        for one, verdict in verdicts
        if verdict.kind != one.kind or one.message not in ("", verdict.message)
    ]


def _job(one: Given, asked: dict[str, Questions]) -> Job:
    if one.number not in asked:
        asked[one.number] = questions(find(one.number)[1], SEED)
    stub = stub_id(one.number)
    return asked[one.number].job(one, [Piece(stub, "code", one.text, True)], stub)
