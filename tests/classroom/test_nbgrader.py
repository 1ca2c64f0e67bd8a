"""nbgrader's form: what it hands out is our stub, what it grades by is our judge.

With `COURSE_NBGRADER=PATH` of an nbgrader command (0.9.6, in an environment of its own), nbgrader
itself hands out and grades: the weekly job does so.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from course_utils.classroom.nbgrader_form import earned, nbgrader_source, write_nbgrader
from course_utils.classroom.student_copy import student_copy
from tests.classroom.conftest import cells_of, write_into
from tests.classroom.school import mistaken, right, run_in_its_own
from tests.command_line import course as typed

NAME = "lecture02"
SHARES = {"ok": 1.0, "misconception": 0.5}


def test_stubs_and_checks_are_marked(course, term):
    """Catches a stub that nbgrader empties, a check without points, and a test that is seen."""
    (lecture,) = (course / "notebooks").glob("02_*.ipynb")
    made = nbgrader_source(student_copy(lecture, term), term, "02")
    marked = {c["id"]: c for c in made["cells"] if "nbgrader" in c["metadata"]}
    assert len(marked) == 2 * 9 + 6
    stub, tested = marked["ex-2-7-stub"], "".join(marked["ex-2-7-check"]["source"])
    assert "".join(stub["source"]).endswith("### BEGIN SOLUTION\n    ...\n    ### END SOLUTION\n")
    assert stub["metadata"]["nbgrader"]["solution"]
    shown, _, hidden = tested.partition("### BEGIN HIDDEN TESTS\n")
    assert shown == 'check("2.7", clip)\n'
    assert str(term.seed) in hidden
    points = [c["metadata"]["nbgrader"].get("points", 0) for c in marked.values()]
    assert sum(points) == pytest.approx(9 + 4)
    own = "".join(marked["ex-own-1-check"]["source"])
    assert str(term.folder.resolve() / "exercises" / "own_1_one_part.py") in own


def test_points_follow_the_verdict():
    """Catches full marks for a wrong answer, which a check that never raises would give."""
    space: dict = {}
    exec("import torch\n" + right("02")["2.2"], space)
    assert earned("2.2", space["product_of_jacobians"], 3, SHARES, 5) == 3
    exec(next(text for text, _ in mistaken("2.2")), space)
    assert earned("2.2", space["product_of_jacobians"], 3, SHARES, 5) == 1.5
    assert earned("2.2", lambda jacobians: 3, 3, SHARES, 5) == 0
    assert earned("2.2", ..., 3, SHARES, 5) == 0


def test_the_command_writes_it(term, capsys):
    """Catches a form that the command does not know, and one that it makes up."""
    assert typed("handout", "--term", str(term.folder), "--for", "nbgrader") == 0
    assert (term.folder / "nbgrader" / "source" / NAME / f"{NAME}.ipynb").is_file()
    assert typed("handout", "--term", str(term.folder), "--for", "paper") == 2


@pytest.mark.slow
def test_nbgrader_itself_grades_rightly(course, term, tmp_path):
    """Catches a form that nbgrader refuses, or grades otherwise than we do."""
    command = os.environ.get("COURSE_NBGRADER")
    if not command:
        pytest.skip("COURSE_NBGRADER=PATH names nbgrader's command, in its own environment")
    home = tmp_path / "nbgrader"
    write_nbgrader(course, term, home)
    run_in_its_own(command, home, "generate_assignment", NAME)
    release = home / "release" / NAME / f"{NAME}.ipynb"
    assert "import earned" not in release.read_text(encoding="utf-8")
    assert cells_of(release)["ex-2-7-stub"].endswith("\n    ...\n")
    work = right("02") | {"2.7": next(text for text, _ in mistaken("2.7"))}
    answers = {f"ex-{number.replace('.', '-')}-stub": text for number, text in work.items()}
    answers["ex-2-1-stub"] = "def jacobian_of_a_step(a_t, U):\n    return 1"
    answers["ex-own-1-stub"] = "def one_part(x, parts):\n    return x / parts"
    submitted = home / "submitted" / "anna" / NAME / f"{NAME}.ipynb"
    submitted.parent.mkdir(parents=True)
    submitted.write_bytes(release.read_bytes())
    write_into(submitted, answers)
    run_in_its_own(command, home, "autograde", NAME)
    marks = scores(home / "gradebook.db")
    assert marks["ex-2-1-check"] == 0
    assert marks["ex-2-7-check"] == 0.5
    assert marks["ex-own-1-check"] == 1
    assert sum(marks.values()) == 6 + 0.5 + 1


def scores(gradebook: Path) -> dict[str, float]:
    """Return what nbgrader gave for every check cell."""
    query = (
        "select base_cell.name, grade.auto_score from grade "
        "join base_cell on base_cell.id = grade.cell_id where grade.auto_score is not null"
    )
    with sqlite3.connect(gradebook) as opened:
        return dict(opened.execute(query).fetchall())
