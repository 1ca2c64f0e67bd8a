"""Two hundred students, one lecture: seconds for all, memory, and whether marks are right."""

from __future__ import annotations

import csv
import itertools
import tempfile
import time
from pathlib import Path

from course_utils.checks.find_exercise import places
from course_utils.classroom.session import grade_class
from course_utils.classroom.term import new_term
from tests.benchmarks.measure import Row, high_water
from tests.classroom.all_answers import given_to, told_otherwise
from tests.classroom.school import lecture, mistaken, right, worked

STUDENTS, LECTURE = 200, "02"
HOSTILE = (
    "    while True:\n        pass",
    "    import time\n    time.sleep(600)",
    "    import os\n    os.write(1, b'x' * 10**9)",
    "    return [bytearray(1 << 28) for _ in range(100)]",
    "    import os\n    while True:\n        os.fork()",
)


def rows() -> list[Row]:
    """Grade in two processes, as the command does."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        term = new_term(home / "term", [LECTURE]).parent
        wanted = _hand_in(home / "in")
        start = time.perf_counter()
        grade_class(term, LECTURE, home / "in", home / "out", workers=2)
        seconds = time.perf_counter() - start
        with (home / "out" / "grades.csv").open(encoding="utf-8", newline="") as file:
            found = {row["student"]: float(row["total"]) for row in csv.DictReader(file)}
    wrong = sum(abs(found[who] - points) > 1e-9 for who, points in wanted.items())
    answers = [given for number in places() for given in given_to(number)]
    start = time.perf_counter()
    otherwise = told_otherwise(answers)
    print("\n".join(otherwise))
    return [
        Row(
            f"{len(answers)} solutions and mistakes, all lectures: told otherwise",
            len(otherwise),
            "<= 0",
            f"{time.perf_counter() - start:.0f} s",
            unit="",
        ),
        Row(f"{STUDENTS} students, lecture {LECTURE}", seconds, "<= 600", unit="s"),
        Row("students with other marks than they should have", wrong, "<= 0", unit=""),
        Row("peak memory of the grader", high_water() / 1e9, "<= 2.0", unit="GB"),
    ]


def _hand_in(folder: Path) -> dict[str, float]:
    """Write a class: right, mistaken, empty, mixed and hostile; return everybody's points."""
    folder.mkdir()
    notebook, ours = lecture(LECTURE), right(LECTURE)
    mistakes = {number: [text for text, _ in mistaken(number)] for number in ours}
    named = [number for number, texts in mistakes.items() if texts]
    heads = {number: text[: text.index(":\n") + 2] for number, text in ours.items()}
    kinds = itertools.cycle(["right", "mistaken", "empty", "mixed", "right", "mixed"])
    points = {}
    for k, kind in zip(range(STUDENTS), kinds, strict=False):
        wrong = {n: mistakes[n][k % len(mistakes[n])] for n in named}
        if k % 20 == 7:
            number = list(heads)[k % len(heads)]
            answers, earned = {**ours, number: heads[number] + HOSTILE[k % 5]}, len(ours) - 1.0
        elif kind == "mixed":
            some = dict(list(wrong.items())[k % len(wrong) :])
            answers, earned = {**ours, **some}, len(ours) - len(some) / 2
        else:
            answers = {"right": ours, "mistaken": wrong, "empty": {}}[kind]
            earned = {"right": float(len(ours)), "mistaken": len(wrong) / 2, "empty": 0.0}[kind]
        own = {"cell_type": "markdown", "id": "own", "metadata": {}, "source": f"student {k}"}
        mine = {**notebook, "cells": [*notebook["cells"], own]}  # the same work is judged once
        (folder / f"s{k:03}.ipynb").write_bytes(worked(mine, answers))
        points[f"s{k:03}"] = earned
    return points
