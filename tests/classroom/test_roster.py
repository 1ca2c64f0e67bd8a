"""A roster is read as it comes, and Canvas's and Moodle's go back filled in, to be imported."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta, timezone

import pytest

from course_utils.classroom.collect import Found
from course_utils.classroom.grading import Lecture, Version, late_by
from course_utils.classroom.marks import Marks, marks, read_manual
from course_utils.classroom.roster import read_roster
from course_utils.classroom.runner.replay import Judged
from course_utils.classroom.tables import canvas, moodle
from course_utils.classroom.term import Term

LECTURE = Lecture("02", [], {}, {})
GRADEBOOK = """\
Student,ID,SIS User ID,SIS Login ID,Section,Lecture 02 (81234),Lecture 03 (81299)
    Points Possible,,,,,12,8
"Lovelace, Ada",123,S1,ada,Group A,,
"Hopper, Grace",77,S2,grace,Group B,3,
"""
WORKSHEET = """\
Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,\
Last modified (submission),Last modified (grade),Feedback comments
Participant 4711,Ada Lovelace,ada@x.example,Submitted for grading,-,14.00,Yes,\
"Thursday, 4 March 2027, 11:59 PM",-,
Participant 12,Grace Hopper,grace@x.example,Submitted for grading,-,14.00,Yes,\
"Friday, March 5, 2027, 1:00 PM","Sunday, 7 March 2027, 9:00 AM",
Participant 13,Mary,mary@x.example,No submission,-,14.00,Yes,-,-,
"""


def written(folder, text):
    """Return a roster of this text."""
    (folder / "roster.csv").write_text(text, encoding="utf-8")
    return read_roster(folder / "roster.csv")


def table(content: bytes) -> list[dict[str, str]]:
    """Return the rows of a CSV by its head."""
    return list(csv.DictReader(io.StringIO(content.decode())))


def test_a_roster_is_read_by_its_columns(tmp_path):
    """Catches a byte order mark, capitals, a student without a name, a roster without ids."""
    found = written(tmp_path, "\ufeffName,SIS User ID\nAda Lovelace,ada\n,hopper\n,\n")
    assert found.names == {"ada": "Ada Lovelace", "hopper": ""}
    assert written(tmp_path, "id,name,login\n1,Ada,ada\n2,Bob,\n").login("1") == "ada"
    assert read_roster(tmp_path / "roster.csv").login("2") == "2"
    with pytest.raises(ValueError, match="no column for the student"):
        written(tmp_path, "first,second\n1,2\n")


BY_EXCEL = "id;name;login\r\nZo\u00eb;M\u00fcller, Zo\u00eb;zm1\r\n;;\r\n12;\u0141ukasz\r\n"


@pytest.mark.parametrize(
    ("said", "encoding"),
    [
        (BY_EXCEL, "utf-8-sig"),
        (BY_EXCEL.replace(";", "\t"), "utf-16"),
        ("sep=;\r\n" + BY_EXCEL, "utf-8"),
        (BY_EXCEL.replace("\u0141", "L"), "cp1252"),
        (BY_EXCEL.replace("\u00eb", "e\u0308"), "utf-8"),
    ],
)
def test_a_roster_that_a_spreadsheet_saved(tmp_path, said, encoding):
    """Catches a class that is nobody's because Excel has other commas, letters and marks."""
    (tmp_path / "roster.csv").write_bytes(said.encode(encoding))
    found = read_roster(tmp_path / "roster.csv")
    assert list(found.names) == ["Zo\u00eb", "12"]
    assert found.names["12"] in ("\u0141ukasz", "Lukasz")
    assert found.names["Zo\u00eb"].startswith("M\u00fcller, Zo")
    assert found.login("Zo\u00eb") == "zm1"
    assert found.head == ["id", "name", "login"]


def test_marks_that_a_spreadsheet_saved(tmp_path):
    """Catches marks by hand that are refused, or nobody's, after a look at them in Excel."""
    said = "student;question;share\r\nZoe\u0308;1;0,75\r\n;;\r\n"
    (tmp_path / "question-1.csv").write_text(said, encoding="utf-8-sig")
    assert read_manual(tmp_path / "question-1.csv") == {("Zo\u00eb", 1): (0.75, "")}


def test_canvas_gets_its_own_gradebook_back(tmp_path):
    """Catches columns that Canvas takes for a new student, or for a second assignment."""
    roster = written(tmp_path, GRADEBOOK)
    assert roster.names == {"123": "Lovelace, Ada", "77": "Hopper, Grace"}
    rows = [Marks("123", "Lovelace, Ada", None, total=9.5), Marks("5", "", None)]
    possible, ada, guest = table(canvas(LECTURE, rows, 14, roster))
    assert list(ada) == [*GRADEBOOK.splitlines()[0].split(",")[:5], "Lecture 02 (81234)"]
    assert list(ada.values()) == ["Lovelace, Ada", "123", "S1", "ada", "Group A", "9.5"]
    assert (possible["Student"], possible["Lecture 02 (81234)"]) == ("Points Possible", "14")
    assert (guest["ID"], guest["Lecture 02 (81234)"]) == ("5", "0.0")


def test_moodle_gets_its_own_worksheet_back(tmp_path):
    """Catches a worksheet that Moodle refuses, or takes for older than its own marks."""
    roster = written(tmp_path, WORKSHEET)
    assert roster.names == {"4711": "Ada Lovelace", "12": "Grace Hopper", "13": "Mary"}
    assert roster.login("12") == "grace@x.example"
    rows = [Marks("12", "Grace Hopper", None, total=9.5)]
    (grace,) = table(moodle(rows, 14, roster))
    before = list(csv.DictReader(io.StringIO(WORKSHEET)))[1]
    assert grace == {**before, "Grade": "9.5"}
    (mary,) = table(moodle([Marks("13", "Mary", None)], 14, roster))
    assert mary == {**list(csv.DictReader(io.StringIO(WORKSHEET)))[2], "Grade": "0.0"}


def test_without_them_the_columns_are_those_that_each_asks_for(tmp_path):
    """Catches a column without which the whole file is refused."""
    roster = written(tmp_path, "id,name\n7,Ada\n")
    rows = [Marks("7", "Ada", None, total=1.0)]
    (line,) = table(moodle(rows, 14, roster))
    assert {"Identifier", "Grade", "Last modified (grade)"} <= set(line)
    assert (line["Identifier"], line["Grade"]) == ("Participant 7", "1.0")
    _, line = table(canvas(LECTURE, rows, 14, roster))
    assert list(line)[:2] == ["Student", "ID"]
    assert (line["Student"], line["ID"]) == ("Ada", "7")
    assert list(line)[-2:] == ["Section", "Lecture 02"]


DUE = datetime(2027, 3, 4, 23, 59, tzinfo=timezone(timedelta(hours=1)))


def test_moodle_says_when_something_came(tmp_path):
    """Catches everybody late by the moment of the download, and a clock of another time zone."""
    moments = written(tmp_path, WORKSHEET).moments
    assert list(moments) == ["4711", "12"]
    term = Term(tmp_path, "", 1, ("02",), due={"02": DUE})
    late = [late_by(term, "02", file(at)) for at in moments.values()]
    assert late == [timedelta(0), timedelta(hours=13, minutes=1)]
    assert late_by(term, "02", file(datetime(2027, 3, 4, 23, 0, tzinfo=UTC))) == timedelta(
        minutes=1
    )
    assert late_by(term, "02", file(None, late=True)) == timedelta(days=1)
    assert late_by(term, "02", file(None)) == timedelta(0)


def file(at, late=False) -> Found:
    """Return a file that was handed in at some moment."""
    return Found("ada", "02.json", 0, at, late, lambda: b"")


@pytest.mark.parametrize(("rule", "counting"), [("last", "third"), ("best", "second")])
def test_of_several_versions_the_rule_says_which_counts(tmp_path, rule, counting):
    """Catches the first of several versions, and one that cannot be read before one that can."""
    term = Term(tmp_path, "", 1, ("02",), versions=rule, shares={"ok": 1.0, "wrong": 0.0})
    at = DUE
    kinds = {"first": "wrong", "second": "ok", "third": "wrong"}
    versions = [
        Version(Found("ada", name, 0, at + timedelta(hours=k), False, lambda: b""), "",
                {"2.1": Judged(kind, "")})
        for k, (name, kind) in enumerate(kinds.items())
    ]  # fmt: skip
    broken = Version(Found("ada", "broken", 9, at, False, lambda: b""), "it cannot be read")
    (row,) = marks(term, LECTURE, [broken, *versions], {}, {})
    assert row.version.found.name == counting
    (row,) = marks(term, LECTURE, [broken], {}, {})
    assert row.version is broken
