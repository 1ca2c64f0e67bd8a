"""From verdicts to marks: points, late work, several versions, questions marked by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from course_utils.classroom.cells import digest
from course_utils.classroom.collect import same_name
from course_utils.classroom.grading import Lecture, Version
from course_utils.classroom.spreadsheet import read_table
from course_utils.classroom.term import Term

GIVEN = "manual/given-{}.json"  # no table: a spreadsheet would take a name for a formula
Asked = tuple[str, int]  # a student and a question


class Mark(NamedTuple):
    """What was given by hand for one answer in words."""

    share: float  # of the question's points
    text: str = ""  # a hash of what it was given for; empty where nobody has noted it


Manual = Mapping[Asked, Mark]


@dataclass(frozen=True)
class Marks:
    """One student's row."""

    student: str
    name: str
    version: Version | None  # the one that counts; none where nothing came
    points: Mapping[str, float] = field(default_factory=dict)  # by exercise, before lateness
    written: float = 0.0  # for answers to questions
    kept: float = 1.0  # what lateness leaves of all points
    total: float = 0.0
    flags: tuple[str, ...] = ()


def marks(
    term: Term,
    lecture: Lecture,
    versions: Sequence[Version],
    roster: Mapping[str, str],
    manual: Manual,
) -> list[Marks]:
    """Return a row for everybody on the roster and for everybody who handed in."""
    by_student: dict[str, list[Version]] = {student: [] for student in roster}
    for version in versions:
        by_student.setdefault(version.found.student, []).append(version)
    rows = []
    for student, theirs in sorted(by_student.items()):
        known = [_row(term, lecture, student, v, roster, manual) for v in theirs]
        rows.append(_counting(term, known) or Marks(student, roster.get(student, ""), None))
    return rows


def possible(term: Term, lecture: str) -> float:
    """Return how many points a lecture has."""
    return sum(map(term.worth, term.counted(lecture))) + term.free_text.get(lecture, 0.0)


def read_manual(file: Path) -> dict[Asked, Mark]:
    """Return the marks that were given by hand: student, question, share of its points, text."""
    try:
        _, rows = read_table(file, ["share"])
        found = {
            (same_name(row["student"]), int(row["question"])): Mark(
                float(row["share"].replace(",", ".")), (row.get("text") or "").strip()
            )
            for row in rows
            if any(row.values())
        }
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{file} should have the columns student, question, share ({error})"
        ) from error
    if wrong := [key for key, mark in found.items() if not 0 <= mark.share <= 1]:
        raise ValueError(
            f"{file}: the share of {wrong[0][0]}, question {wrong[0][1]}, is not 0 to 1"
        )
    return found


def given_before(out: Path, lecture: str) -> dict[Asked, Mark]:
    """Return the marks by hand that an earlier grading left in its folder."""
    try:
        rows = json.loads((out / GIVEN.format(lecture)).read_text(encoding="utf-8"))
        return {
            (str(who), int(question)): Mark(float(share), *map(str, text))
            for who, question, share, *text in rows
        }
    except FileNotFoundError:
        return {}
    except (TypeError, ValueError) as error:
        file = out / GIVEN.format(lecture)
        raise ValueError(f"{file}, the marks given before, is damaged: delete it") from error


def given_file(lecture: str, manual: Manual) -> dict[str, bytes]:
    """Return the file that the next grading has these marks from; none for no marks."""
    rows = [[*key, *mark] for key, mark in sorted(manual.items())]
    return {GIVEN.format(lecture): json.dumps(rows).encode()} if rows else {}


def marked_anew(before: Manual, new: Manual) -> dict[Asked, Mark]:
    """Return all marks; a file that only says the same again was made for the text of that time."""
    same = {
        key: before[key]
        for key, mark in new.items()
        if not mark.text and key in before and before[key].share == mark.share
    }
    return {**before, **new, **same}


def with_texts(manual: Manual, rows: Sequence[Marks]) -> dict[Asked, Mark]:
    """Return the marks with a hash of the text that each is for, where none was noted."""
    there = {one.student: one.version.free_texts for one in rows if one.version}
    return {
        (who, question): mark._replace(text=mark.text or hash_of_text(there[who].get(question, "")))
        if who in there
        else mark
        for (who, question), mark in manual.items()
    }


def outdated(manual: Manual, version: Version, student: str) -> list[int]:
    """Return the questions whose answer is not the text any more that was marked."""
    marked = {question: mark.text for (who, question), mark in manual.items() if who == student}
    return [
        question
        for question, text in sorted(marked.items())
        if text and text != hash_of_text(version.free_texts.get(question, ""))
    ]


def hash_of_text(text: str) -> str:
    """Return a short hash that no spreadsheet takes for a number."""
    return f"t{digest('markdown', text)[:12]}"


def _counting(term: Term, rows: Sequence[Marks]) -> Marks | None:
    """Return the version that counts: the last that can be read, or the best."""
    if term.versions == "best":
        return max(rows, key=lambda row: (row.total, *_order(row.version)), default=None)
    return max(rows, key=lambda row: _order(row.version), default=None)


def _order(version: Version | None) -> tuple[bool, int, float]:
    """Return what is larger for the later of two versions, and for one that can be read."""
    assert version is not None
    return not version.problem, *version.found.order


def _row(
    term: Term,
    lecture: Lecture,
    student: str,
    version: Version,
    roster: Mapping[str, str],
    manual: Manual,
) -> Marks:
    points = {n: term.worth(n) * term.share(v.kind) for n, v in version.verdicts.items()}
    asked = lecture.questions
    shares = [manual.get((student, question), Mark(0.0)).share for question in asked]
    worth = term.free_text.get(lecture.number, 0.0)
    written = worth * sum(shares) / len(asked) if asked else 0.0
    kept = term.kept_when_late(version.late)
    total = round((sum(points.values()) + written) * kept, 4)
    flags = {flag: None for verdict in version.verdicts.values() for flag in verdict.flags}
    unknown = ["not on the roster"] if roster and student not in roster else []
    beside = [f"of the same time: {', '.join(version.beside)}"] if version.beside else []
    name = roster.get(student, "")
    older = [
        f"text changed since it was marked: question {question}"
        for question in ([] if version.problem else outdated(manual, version, student))
    ]
    source = "roster" if student in roster else "file"
    others = [
        f"login in the notebook: {typed!r}, {source}: {version.login!r}"
        for typed in version.other_logins
    ]
    said = (*flags, *unknown, *beside, *older, *others)
    return Marks(student, name, version, points, written, kept, total, said)
