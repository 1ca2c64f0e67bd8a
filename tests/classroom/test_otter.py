"""otter's form: what it hands out is our stub, what it grades by is our judge.

With `COURSE_OTTER=PATH` of an otter command (7.0.0, in an environment of its own), otter itself
hands out and grades: the weekly job does so.
"""

from __future__ import annotations

import json
import os

import pytest

from course_utils.classroom.otter_form import otter_master, write_otter
from course_utils.classroom.student_copy import student_copy
from tests.classroom.conftest import cells_of, write_into
from tests.classroom.school import mistaken, right, run_in_its_own
from tests.command_line import course as typed

NAME = "lecture02"


def test_every_exercise_is_a_question(course, term):
    """Catches points that do not add up, a test that students see, and a reserved one left out."""
    (lecture,) = (course / "notebooks").glob("02_*.ipynb")
    made = otter_master(student_copy(lecture, term), term, "02")
    texts = {cell["id"]: "".join(cell["source"]) for cell in made["cells"]}
    begun = [text for text in texts.values() if text.startswith("# BEGIN QUESTION")]
    assert len(begun) == 9 + 6
    assert sum("manual: true" in text for text in begun) == 6
    assert "points: [0.5, 0.5]" in texts["otter-q2_7"]
    tests = [text for name, text in texts.items() if "-test-" in name]
    assert len(tests) == 2 * 9
    assert all(text.startswith("# HIDDEN\n") for text in tests)
    own = texts["qown_1-test-1"]
    assert str(term.folder.resolve() / "exercises" / "own_1_one_part.py") in own
    assert len(set(texts)) == len(made["cells"])


def test_the_command_writes_it(term):
    """Catches a form that the command does not know."""
    assert typed("handout", "--term", str(term.folder), "--for", "otter") == 0
    assert (term.folder / "otter" / NAME / f"{NAME}.ipynb").is_file()


@pytest.mark.slow
def test_otter_itself_grades_rightly(course, term, tmp_path):
    """Catches a form that otter refuses, a hidden test handed out, and other points than ours."""
    command = os.environ.get("COURSE_OTTER")
    if not command:
        pytest.skip("COURSE_OTTER=PATH names otter's command, in its own environment")
    home = tmp_path / "otter"
    write_otter(course, term, home)
    run_in_its_own(command, home / NAME, "assign", f"{NAME}.ipynb", "dist", "--no-pdfs")
    handed_out = home / NAME / "dist" / "student" / f"{NAME}.ipynb"
    assert "nbgrader_form" not in handed_out.read_text(encoding="utf-8")
    assert cells_of(handed_out)["ex-2-7-stub"].endswith("\n    ...")
    work = right("02") | {"2.7": next(text for text, _ in mistaken("2.7"))}
    answers = {f"ex-{number.replace('.', '-')}-stub": text for number, text in work.items()}
    answers["ex-2-1-stub"] = "def jacobian_of_a_step(a_t, U):\n    return 1"
    answers["ex-own-1-stub"] = "def one_part(x, parts):\n    return x / parts"
    write_into(handed_out, answers)
    (autograder,) = (home / NAME / "dist" / "autograder").glob("*.zip")
    run_in_its_own(command, home, "run", "-a", str(autograder), str(handed_out))
    said = json.loads((home / "results.json").read_text(encoding="utf-8"))["tests"]
    marks = {one["name"]: one["score"] for one in said if "score" in one}
    assert (marks["q2_1"], marks["q2_7"], marks["qown_1"]) == (0, 0.5, 1)
    assert sum(marks.values()) == 6 + 0.5 + 1
