"""Numbers of each student's own: a friend's answer is wrong, and everybody is told hers."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from course_utils.checks.own_exercise import faults_in, read_own
from course_utils.checks.reserved import reserve
from course_utils.checks.yours import with_numbers, yours
from course_utils.classroom.add import add_exercise
from course_utils.classroom.handin import write_handin
from course_utils.classroom.handout import write_handout
from course_utils.classroom.nbgrader_form import graded_elsewhere
from course_utils.classroom.session import grade_class
from course_utils.classroom.student_copy import as_file, student_copy
from course_utils.classroom.term import new_term, read_term
from tests.classroom.conftest import cells_of, write_into
from tests.classroom.test_teaching import written_in_the_guide
from tools.__main__ import ROOT

STEPS = written_in_the_guide("steps_left.py")
RADII = (0.9, 0.93, 0.95, 0.97)


@pytest.fixture
def begun(tmp_path):
    """Return a folder with a term and the guide's exercise beside it."""
    new_term(tmp_path / "term", ["02"])
    (tmp_path / "steps_left.py").write_text(STEPS)
    return tmp_path


def test_numbers_follow_from_the_name():
    """Catches numbers that change from day to day, and one number for everybody."""
    drawn = [yours("own.2", f"s{k}", radius=RADII)["radius"] for k in range(400)]
    assert all(70 < count < 130 for count in Counter(drawn).values())
    assert yours("own.2", " Anna", radius=RADII) == yours("own.2", "anna", radius=RADII)
    both = [yours("own.2", f"s{k}", radius=RADII, lag=RADII) for k in range(40)]
    assert any(one["radius"] != one["lag"] for one in both)
    assert drawn != [yours("own.3", f"s{k}", radius=RADII)["radius"] for k in range(400)]


def test_an_exercise_with_numbers_put_in(begun):
    """Catches a number that is still asked for, and a mistake that loses its name."""
    exercise = read_own(begun / "steps_left.py")
    mine = with_numbers(exercise, {"radius": 0.5})
    assert mine.parameters == ["floor"]
    assert mine.function == "steps_left"
    assert mine.reference(0.25) == exercise.reference(0.5, 0.25)
    assert [len(case) for case in mine.cases()] == [1] * len(exercise.cases())
    assert faults_in(with_numbers(exercise, {"radius": 0.9})) == []
    all_of_them = with_numbers(exercise, {"radius": 0.5, "floor": 0.25})
    assert (all_of_them.parameters, all_of_them.cases()) == ([], [()])
    assert all_of_them.reference() == exercise.reference(0.5, 0.25)


def test_who_leaves_out_her_login_is_told(begun, course, monkeypatch):
    """Catches right work on nobody's numbers, of which a student hears when it is too late."""
    add_exercise(begun / "term", begun / "steps_left.py", "02", reserved=True)
    write_handout(course, read_term(begun / "term"), begun / "student")
    monkeypatch.chdir(begun / "student")
    (notebook,) = Path("notebooks").glob("02_*.ipynb")
    write_into(notebook, {"ex-own-2-stub": "def steps_left(floor):\n    return 1"})
    said = str(write_handin(begun / "student", "02", begun / "in"))
    assert "Note: exercise own.2 has no numbers of yours" in said
    cell = cells_of(notebook)["ex-own-2-yours"]
    write_into(notebook, {"ex-own-2-yours": cell.replace("your login", "anna")})
    assert "no numbers" not in str(write_handin(begun / "student", "02", begun / "in"))


def test_everybody_is_graded_by_her_own(begun):
    """Catches a friend's number that earns points, and the roster's id in place of the login."""
    term_folder = begun / "term"
    add_exercise(term_folder, begun / "steps_left.py", "02", reserved=True)
    term = read_term(term_folder)
    (lecture,) = (ROOT / "notebooks").glob("02_*.ipynb")
    handed_out = as_file(student_copy(lecture, term))
    logins = {"1": "anna", "2": "bob", "3": "carla"}
    typed = {**logins, "2": "anna", "3": " Carla"}  # bob's is a copy
    radii = read_own(begun / "steps_left.py").variants["radius"]
    own = {who: yours("own.2", login, radius=radii)["radius"] for who, login in logins.items()}
    assert own["1"] != own["2"]
    written = {"1": repr(own["1"]), "2": repr(own["1"]), "3": "mine['radius']"}
    for who, radius in written.items():
        file = begun / "in" / who / "02.ipynb"
        file.parent.mkdir(parents=True)
        file.write_bytes(handed_out)
        text = cells_of(file)["ex-own-2-yours"].replace("your login", typed[who])
        answer = f"def steps_left(floor):\n    return math.ceil(math.log(floor, {radius}))"
        write_into(file, {"ex-own-2-yours": text, "ex-own-2-stub": f"import math\n{answer}"})
    table = "".join(f"{who},{login}\n" for who, login in logins.items())
    (begun / "roster.csv").write_text(f"id,login\n{table}")
    grade_class(term_folder, "02", begun / "in", begun / "out", begun / "roster.csv", workers=1)
    with (begun / "out" / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    points = {row["student"]: row["own.2"] for row in rows}
    flags = {row["student"]: row["flags"] for row in rows}
    assert flags == {"1": "", "2": "login in the notebook: 'anna', roster: 'bob'", "3": ""}
    assert points == {"1": "1.0", "2": "0.0", "3": "1.0"}
    said = (begun / "out" / "feedback" / "2.html").read_text(encoding="utf-8")
    assert f"Your numbers: radius = {own['2']}." in said
    page = (begun / "out" / "class.html").read_text(encoding="utf-8")
    assert "own numbers: own.2" in page
    assert "own.2" not in graded_elsewhere(term, "02")
    assert "2.1" in graded_elsewhere(term, "02")


def test_the_reference_stays_and_the_stub_asks_for_the_rest(begun):
    """Catches a stub that asks for the student's number, and an answer that is handed out."""
    add_exercise(begun / "term", begun / "steps_left.py", "02", reserved=True)
    (lecture,) = (ROOT / "notebooks").glob("02_*.ipynb")
    file = begun / "02.ipynb"
    file.write_bytes(as_file(student_copy(lecture, read_term(begun / "term"))))
    assert "def steps_left(floor):" in cells_of(file)["ex-own-2-stub"]
    given = reserve(begun / "steps_left.py")
    assert "def steps_left(floor):" in given
    assert "math" not in given


@pytest.mark.parametrize(
    ("old", "new", "reserved", "says"),
    [
        ('"radius": (', '"width": (', True, "no argument is called 'width'"),
        ("", "", False, "--reserved"),
        ('"radius": (', '"radius": (1.0, ', True, "with radius = 1.0"),
        ('"radius": (', '"radius": (*range(500), ', True, "at most 300"),
        ("variants=", "effect=lambda answer, *given: 1,\n    variants=", True, "go together"),
    ],
)
def test_variants_that_cannot_be_judged_stay_out(begun, old, new, reserved, says):
    """Catches a student whose own numbers make every answer right, or none."""
    (begun / "steps_left.py").write_text(STEPS.replace(old, new, 1) if old else STEPS)
    with pytest.raises(ValueError, match=says):
        add_exercise(begun / "term", begun / "steps_left.py", "02", reserved)
