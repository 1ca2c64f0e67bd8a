"""Grades as CSV: for a spreadsheet, for Canvas, for Moodle. No cell is ever taken for a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from course_utils.classroom.grading import Lecture
from course_utils.classroom.marks import Marks
from course_utils.classroom.roster import Roster

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # what a spreadsheet would run
OF_CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
MORE_OF_CANVAS = ("Integration ID", "Root Account")  # of some institutions
# without the last of these Moodle refuses the whole file
OF_MOODLE = ("Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)")
Row = Sequence[object]


def grades(lecture: Lecture, rows: Iterable[Marks], most: float) -> bytes:
    """Return the whole table: every exercise, lateness, flags, and what could not be read."""
    numbers = list(lecture.asked)
    head = ["student", "name", *numbers, "written", "kept", "total", "possible", "late hours",
            "problem", "flags", "file"]  # fmt: skip
    return _csv([head, *(_row(numbers, one, most) for one in rows)])


def canvas(lecture: Lecture, rows: Iterable[Marks], most: float, roster: Roster) -> bytes:
    """Return the columns that Canvas imports, filled from its gradebook where that is the roster.

    Canvas knows a student by the ID in its file names, and an assignment by the number behind its
    title.
    """
    known = roster.has("Student", "ID", "Section")
    head = [name for name in roster.head if name in OF_CANVAS or name in MORE_OF_CANVAS]
    head = head if known else list(OF_CANVAS)
    title = f"Lecture {lecture.number}"
    assignment = re.compile(rf"{title}\b.*\(\d+\)")
    column = next((name for name in roster.head if assignment.fullmatch(name)), title)
    lines: list[Row] = []
    for one in rows:
        plain_row = {"Student": one.name, "SIS Login ID": roster.logins.get(one.student, "")}
        said = {**((known and roster.rows.get(one.student)) or plain_row), "ID": one.student}
        lines.append([*(said.get(name, "") for name in head), one.total])
    first = ["Points Possible", *[""] * (len(head) - 1), most]
    return _csv([[*head, column], first, *lines])


def moodle(rows: Iterable[Marks], most: float, roster: Roster) -> bytes:
    """Return Moodle's offline grading worksheet: its own, filled in, where that is the roster."""
    known = roster.has("Identifier", "Grade")
    head = roster.head if known else OF_MOODLE
    lines: list[Row] = []
    for one in rows:
        said: dict[str, object] = {"Identifier": f"Participant {one.student}"}
        said |= {"Full name": one.name, "Maximum Grade": most}
        said |= roster.rows.get(one.student, {}) if known else {}
        lines.append([{**said, "Grade": one.total}.get(name, "") for name in head])
    return _csv([head, *lines])


def as_written(points: float) -> float:
    """Return points as they stand in a table: a third has no end."""
    return round(points, 4)


def plain(value: object) -> object:
    """Return a value that no spreadsheet takes for a formula."""
    if not isinstance(value, str) or value == "-":  # Moodle's for nothing
        return value
    kept = "".join(c if c.isprintable() else " " for c in value.replace("\n", " "))
    return f"'{kept}" if value.startswith(FORMULA) or kept.lstrip().startswith(FORMULA) else kept


def _row(numbers: Sequence[str], one: Marks, most: float) -> list[object]:
    version = one.version
    late = round(version.late.total_seconds() / 3600, 1) if version else ""
    problem = version.problem if version else "nothing was handed in"
    name = version.found.name if version else ""
    points = [one.points.get(number, 0.0) for number in numbers]
    about = [late, problem, "; ".join(one.flags), name]
    marks = [as_written(one.written), as_written(one.kept), one.total, most]
    return [one.student, one.name, *points, *marks, *about]


def _csv(rows: Iterable[Row]) -> bytes:
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerows([plain(v) for v in row] for row in rows)
    return written.getvalue().encode("utf-8", "replace")
