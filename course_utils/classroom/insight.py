"""What a class got wrong, and how: named mistakes, unnamed ones alike, difficulty, likeness."""

from __future__ import annotations

import math
import statistics
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from course_utils.classroom.extract import IN_THE_CHECK
from course_utils.classroom.grading import Lecture
from course_utils.classroom.marks import Marks
from course_utils.classroom.runner.replay import Judged

LARGE_SHARE = 0.05  # of a class: what so many write alike, the task forces


class Named(NamedTuple):
    """A mistake that an exercise knows."""

    number: str
    name: str
    sentence: str
    students: list[str]


class Unnamed(NamedTuple):
    """Answers that are wrong in the same way, which nobody has named yet."""

    number: str
    function: str
    kind: str  # "wrong", or "error"
    sentence: str
    example: str  # one of the answers
    students: list[str]


class Item(NamedTuple):
    """How hard an exercise was, and how well it tells students apart."""

    number: str
    right: int
    tried: int
    discrimination: float  # correlation with all other exercises; NaN where nothing varies


def named(lecture: Lecture, rows: Iterable[Marks]) -> list[Named]:
    """Return the named mistakes, the most frequent first."""
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for student, number, verdict in _verdicts(rows):
        if verdict.kind == "misconception":
            groups[number, verdict.message].append(student)
    found = [
        Named(number, _name(lecture, number, said), said, students)
        for (number, said), students in groups.items()
    ]
    return sorted(found, key=lambda one: (-len(one.students), one.number, one.sentence))


def unnamed(lecture: Lecture, rows: Iterable[Marks]) -> list[Unnamed]:
    """Return wrong answers that returned the very same, the largest group first."""
    groups: dict[tuple[str, str], list[tuple[str, Judged]]] = defaultdict(list)
    for student, number, verdict in _verdicts(rows):
        if verdict.kind in ("wrong", "error") and verdict.returned:
            groups[number, verdict.returned].append((student, verdict))
    found = [
        Unnamed(number, lecture.asked[number].exercise.function, group[0][1].kind,
                group[0][1].message, min((v.text for _, v in group), key=len),
                [student for student, _ in group])
        for (number, _), group in groups.items()
    ]  # fmt: skip
    return sorted(found, key=lambda one: (-len(one.students), one.number, one.example))


def skeleton(group: Unnamed) -> str:
    """Return the beginning of a new mistake, to paste into an exercise's file: it runs as it is.

    The answer stands in a function of its own, where its names hide nothing of the file.
    """
    code = textwrap.indent(group.example.strip(), "    ")
    in_the_check = f"{IN_THE_CHECK} = " in group.example
    made = f"lambda *given: {IN_THE_CHECK}" if in_the_check else group.function
    return (
        f"def a_mistake():\n{code}\n    return {made}\n\n\n"
        "Misconception(\n"
        '    "a name for it",\n'
        "    a_mistake(),\n"
        '    "The sentence that tells its author what went wrong.",\n'
        "),"
    )


def items(lecture: Lecture, rows: Sequence[Marks]) -> list[Item]:
    """Return difficulty and discrimination of every exercise."""
    present = [m for m in rows if m.version and not m.version.problem]
    found = []
    for number in lecture.asked:
        kinds = [m.version.verdicts[number].kind for m in present if m.version]
        right = [float(kind == "ok") for kind in kinds]
        rest = [sum(m.points.values()) - m.points[number] for m in present]
        tried = sum(kind != "not attempted" for kind in kinds)
        found.append(Item(number, int(sum(right)), tried, _correlation(right, rest)))
    return found


def alike(rows: Iterable[Marks]) -> list[tuple[str, list[str]]]:
    """Return groups whose code is equal after renaming, where the task does not force it."""
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    count: Counter[str] = Counter()
    for student, number, verdict in _verdicts(rows):
        count[number] += 1
        if verdict.form:
            groups[number, verdict.form].append(student)
    return sorted(
        (number, students)
        for (number, _), students in groups.items()
        if 2 <= len(students) <= max(3, LARGE_SHARE * count[number])
    )


def _verdicts(rows: Iterable[Marks]) -> Iterable[tuple[str, str, Judged]]:
    for one in rows:
        for number, verdict in (one.version.verdicts if one.version else {}).items():
            yield one.student, number, verdict


def _name(lecture: Lecture, number: str, sentence: str) -> str:
    known = lecture.asked[number].exercise.misconceptions
    names: Mapping[str, str] = {mistake.message: mistake.name for mistake in known}
    return names.get(sentence, "a wrong choice")


def _correlation(one: Sequence[float], other: Sequence[float]) -> float:
    try:
        return statistics.correlation(one, other)
    except statistics.StatisticsError:  # too few, or all alike
        return math.nan
