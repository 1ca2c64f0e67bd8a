"""Everything that comes out of a grading, in one folder, and what a new judging has changed."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from course_utils.classroom.class_page import class_page
from course_utils.classroom.collect import pages_of
from course_utils.classroom.feedback import feedback
from course_utils.classroom.grading import KEPT, Lecture
from course_utils.classroom.manual import manual_pages
from course_utils.classroom.marks import Manual, Marks, given_file, possible
from course_utils.classroom.roster import Roster
from course_utils.classroom.tables import as_written, canvas, grades, moodle, plain
from course_utils.classroom.term import Term
from course_utils.files import write_whole
from course_utils.own_files import publish

GRADES = "grades.csv"
ASKED = f"{KEPT}/asked.json"  # what was judged: an exercise that is mended has another hash


def write_report(
    term: Term,
    lecture: Lecture,
    rows: Sequence[Marks],
    held: Mapping[str, bool],
    manual: Manual,
    roster: Roster,
    out: Path,
) -> list[Path]:
    """Write tables and pages into a folder; replace what an earlier grading wrote there."""
    most = possible(term, lecture.number)
    files = {
        GRADES: grades(lecture, rows, most),
        "canvas.csv": canvas(lecture, rows, most, roster),
        "moodle.csv": moodle(rows, most, roster),
        "class.html": class_page(term, lecture, rows, most, held),
        **manual_pages(term, lecture, rows, manual),
        **given_file(lecture.number, manual),
    }
    for one, name in zip(rows, pages_of([one.student for one in rows]), strict=True):
        files[f"feedback/{name}.html"] = feedback(term, lecture, one, most)
    return publish(out, files, tidy=True)


def changed_marks(out: Path, rows: Sequence[Marks], numbers: Sequence[str]) -> list[str]:
    """Return a line for everybody whose marks differ from those in the folder's grades."""
    before = _before(out)
    lines = []
    for one in rows:
        old = before.get(one.student)
        if old is not None and float(old["total"]) != one.total:
            points = {n: one.points.get(n, 0.0) for n in numbers}
            now = {**points, "written": as_written(one.written)}
            parts = [
                f"{part}: {float(old[part]):g} -> {value:g}"
                for part, value in now.items()
                if _is_number(old.get(part)) and float(old[part]) != value
            ]
            why = f" ({', '.join(parts)})" if parts else ""
            lines.append(f"{one.student}: {float(old['total']):g} -> {one.total:g}{why}")
    return lines


def without_hand_in(out: Path, rows: Sequence[Marks]) -> list[str]:
    """Return who has points in the folder's grades, and nothing that was handed in now."""
    there = {plain(one.student) for one in rows if one.version}
    return [
        student
        for student, line in _before(out).items()
        if student not in there and float(line["total"])
    ]


def _before(out: Path) -> dict[str, dict[str, str]]:
    """Return the table of an earlier grading by student; empty where there was none."""
    try:
        text = (out / GRADES).read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    lines = csv.DictReader(io.StringIO(text))
    return {line["student"]: line for line in lines if _is_number(line.get("total"))}


def _is_number(cell: str | None) -> bool:
    """Tell whether a cell of the table is as it was written: a hand may have been there since."""
    try:
        float(cell or "")
    except ValueError:
        return False
    return True


def mended(out: Path, lecture: Lecture) -> list[str]:
    """Return the exercises that are not what they were when this folder was graded before."""
    try:
        before = json.loads((out / ASKED).read_text(encoding="utf-8"))
        return [n for n, key in lecture.keys.items() if before.get(n, key) != key]
    except (OSError, ValueError, AttributeError):
        return []  # nothing was graded here before


def note_asked(out: Path, lecture: Lecture) -> None:
    """Write down what was judged, after all the rest: a run that is stopped says it again."""
    write_whole(out / ASKED, json.dumps(dict(lecture.keys), indent=1).encode())
