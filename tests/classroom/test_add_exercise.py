"""An instructor's exercise joins a term only when it is whole, and nothing of hers is replaced."""

from __future__ import annotations

import re

import pytest

from course_utils.classroom.add import add_exercise
from course_utils.classroom.session import grade_class
from course_utils.classroom.student_copy import as_file, student_copy
from course_utils.classroom.term import new_term, read_term
from tests.classroom.conftest import PART, write_into
from tests.command_line import course
from tools.__main__ import ROOT


@pytest.fixture
def begun(tmp_path):
    """Return a term's folder and an exercise beside it."""
    new_term(tmp_path / "term", ["02"])
    (tmp_path / "mine.py").write_text(PART)
    return tmp_path


def test_it_is_asked_handed_in_and_graded(begun, capsys):
    """Catches an exercise of one's own that is asked and then never judged by its reference."""
    words = ("--lecture", "2", "--reserved", "--term", str(begun / "term"))
    assert course("add-exercise", str(begun / "mine.py"), *words) == 0
    assert "its reference stays here" in capsys.readouterr().out
    term = read_term(begun / "term")
    assert term.counted("02")[-1] == "own.1"
    assert "# Answers are graded" in (begun / "term" / "term.toml").read_text()
    (begun / "in").mkdir()
    (lecture,) = (ROOT / "notebooks").glob("02_*.ipynb")
    for who, work in {"anna": "x / parts", "bob": "x * parts"}.items():
        file = begun / "in" / f"{who}.ipynb"
        file.write_bytes(as_file(student_copy(lecture, term)))
        write_into(file, {"ex-own-1-stub": f"def one_part(x, parts=2):\n    return {work}"})
    grade_class(begun / "term", "02", begun / "in", begun / "out", workers=1)
    grades = (begun / "out" / "grades.csv").read_text().splitlines()
    totals = [line.split(",")[-6] for line in grades]
    assert totals == ["total", "1.0", "0.5"]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('number="own.1"', 'number="own.x"', "numbered"),
        ('number="own.1"', 'number="2.9"', "numbered"),
        ("one_part", "clip", "exercise 2.7 of that lecture"),
        ("return share", "return share +", "SyntaxError"),
        ("x / parts\", \"x * parts", "x / parts\", \"x / parts + 0", "gets this instead"),
        ("example=(6.0, 3),", "", "needs an example"),
        ('number="own.1"', 'number="own.1", reserved="x"', "what students get"),
    ],
)  # fmt: skip
def test_what_is_not_whole_stays_out(begun, old, new, says):
    """Catches an exercise whose fault shows when the class has handed in."""
    before = (begun / "term" / "term.toml").read_bytes()
    assert old in PART
    (begun / "mine.py").write_text(PART.replace(old, new))
    with pytest.raises(ValueError, match=re.escape(says)):
        add_exercise(begun / "term", begun / "mine.py", "02", reserved=True)
    assert (begun / "term" / "term.toml").read_bytes() == before
    assert not (begun / "term" / "exercises").exists()


def test_nothing_is_replaced(begun):
    """Catches a second exercise that takes the first one's number, file or place."""
    add_exercise(begun / "term", begun / "mine.py", "02", reserved=False)
    with pytest.raises(ValueError, match="take the next number"):
        add_exercise(begun / "term", begun / "mine.py", "02", reserved=False)
    second = PART.replace("own.1", "own.2").replace("one_part", "another")
    (begun / "mine.py").write_text(second)
    (begun / "term" / "exercises" / "own_2_another.py").write_text("somebody's own")
    with pytest.raises(FileExistsError, match="another number"):
        add_exercise(begun / "term", begun / "mine.py", "02", reserved=False)
    with pytest.raises(ValueError, match="not in this term"):
        add_exercise(begun / "term", begun / "mine.py", "03", reserved=False)
    assert list(read_term(begun / "term").own) == ["own.1"]
