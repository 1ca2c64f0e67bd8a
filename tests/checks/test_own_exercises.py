"""An instructor's own exercise is judged, counted and shown like ours, and never breaks ours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from course_utils.checks import check, hint, lecture_calls, show_solution, task
from course_utils.checks.find_exercise import find, places
from course_utils.checks.own_exercise import faults_in, own_folder
from course_utils.checks.progress import read_progress

COUNT = len(places()) + 1  # ours and hers
HALF = '''"""Exercise own.1: one half."""

from __future__ import annotations

from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception


def clip(x: float, parts: int = 2) -> float:
    """Return one of so many equal parts of x."""
    share = x / parts
    return share


EXERCISE = Exercise(
    number="own.1",
    task="one half",
    reference=clip,
    takes="x, parts: numbers",
    gives="a number",
    example=(6.0, 3),
    cases=lambda: [(1.0, 2), (5.0, 4)],
    hints=("Divide.", "x over parts.", "x / parts"),
    misconceptions=(
        Misconception("times", Change("x / parts", "x * parts"), "You multiply."),
        Misconception("half", lambda x, parts: x / 2, "You always halve."),
    ),
)
'''
BROKEN = {
    "SyntaxError": ("return share", "return share)", 12),
    "NameError": ("number=", "number=missing, reserved=", 16),
    "occurs 0 times": ('Change("x / parts"', 'Change("x / part,"', 15),
    "ZeroDivisionError": ("(1.0, 2)", "(1.0, 0)", 11),
    "by zero": ("(6.0, 3)", "(6.0, 0)", 11),
    "a case is a tuple of what clip(x, parts)": ("(1.0, 2)", "(1.0,)", None),
    "it has no cases": ("[(1.0, 2), (5.0, 4)]", "[]", None),
    "it has no EXERCISE": ("EXERCISE =", "exercise =", None),
    "SystemExit": ("EXERCISE =", "raise SystemExit(3)\nEXERCISE =", 15),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Make a folder of own exercises, a progress file beside it, and one exercise."""
    monkeypatch.setenv("COURSE_EXERCISES", str(tmp_path / "mine"))
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.json"))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "own_1_clip.py").write_text(HALF)
    return tmp_path / "mine"


@pytest.fixture
def shown(monkeypatch):
    """Collect what would be displayed."""
    notes = []
    monkeypatch.setattr(lecture_calls, "display", notes.append)
    return notes


def test_it_is_judged_and_shown_like_ours(folder, shown, tmp_path, monkeypatch):
    """Catches an own exercise that some call does not know."""
    monkeypatch.setattr(lecture_calls, "SOLUTIONS", folder)
    check("own.1", lambda x, parts: x * parts)
    check("own.1", lambda x, parts: x / parts)
    task("own.1")
    hint("own.1", 1)
    show_solution("own.1")
    says = [repr(note) for note in shown]
    assert "You multiply." in says[0]
    assert "Correct" in says[1]
    assert "own: 1 of 1" in says[1]
    assert "clip(6.0, 3) is 2.0" in says[2]
    assert "Divide." in says[3]
    assert says[4].startswith("def clip(")


def test_it_counts_for_itself(folder, shown):
    """Catches an own function that is called like ours and counts as ours solved: 2.7 is clip."""
    check("own.1", lambda x, parts: x / parts)
    found = read_progress()
    assert [*found.solved] == ["own.1"]
    assert found.lines()[-2].startswith("own  ●")
    assert f"1 of {COUNT} solved" in found.in_short("own.1")
    assert places()["2.7"].function == "clip"


@pytest.mark.parametrize("says", BROKEN)
def test_an_error_of_hers_is_one_line_and_leaves_ours_alone(folder, shown, says):
    """Catches a traceback of our machinery, a line that is not named, and ours broken by hers."""
    old, new, line = BROKEN[says]
    (folder / "own_1_clip.py").write_text(HALF.replace(old, new, 1))
    check("own.1", lambda x, parts: x / parts)
    told = repr(shown[0])
    assert says in told
    assert "\n" not in told
    assert f"own_1_clip.py, line {line}:" in told if line else "own_1_clip.py: " in told
    check("0.1", find("0.1")[1].reference)
    assert f"1 of {COUNT} solved" in repr(shown[1])


def test_two_files_with_one_number_are_told(folder):
    """Catches a second exercise that quietly takes the place of the first."""
    (folder / "own_1_other.py").write_text(HALF)
    with pytest.raises(ValueError, match=r"own_1_clip\.py and own_1_other\.py are both"):
        find("own.1")
    assert find("2.7")[1].function == "clip"


def test_a_number_of_ours_cannot_be_taken(folder):
    """Catches an own file that says to be 2.7."""
    (folder / "own_1_clip.py").write_text(HALF.replace('"own.1"', '"2.7"'))
    with pytest.raises(ValueError, match=r"holds exercise 2\.7, clip: its name should say so"):
        find("own.1")
    (folder / "e2_7_clip.py").write_text(HALF)
    assert find("2.7")[1].task == "clip by norm"


def test_a_changed_file_is_read_again(folder):
    """Catches an exercise that stays as it was until the kernel starts anew."""
    assert find("own.1")[1].task == "one half"
    assert find("own.1")[1] is find("own.1")[1]
    file = folder / "own_1_clip.py"
    file.write_text(HALF.replace("x / parts", "x / 2 / parts").replace("one half", "a half"))
    os.utime(file, ns=(1, 1))
    exercise = find("own.1")[1]
    assert (exercise.task, exercise.reference(4.0, 1)) == ("a half", 2.0)


def test_where_it_was_looked_for_is_said(folder, tmp_path, monkeypatch):
    """Catches a folder named wrongly, of which nobody hears."""
    with pytest.raises(ValueError, match=r"own\.7.*own\.1, and own exercises lie in .*mine"):
        find("own.7")
    monkeypatch.setenv("COURSE_EXERCISES", "nowhere/at/all")
    with pytest.raises(ValueError, match=r"nowhere.at.all"):
        find("own.1")
    assert len(read_progress().lectures) == 11
    monkeypatch.delenv("COURSE_EXERCISES")
    assert own_folder() == Path(__file__).resolve().parents[2] / "own"


def test_exercises_beside_the_open_lectures_are_found(tmp_path, monkeypatch):
    """Catches one installation for many courses, where nobody's own exercise can be checked."""
    monkeypatch.delenv("COURSE_EXERCISES", raising=False)
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "00_start_here.ipynb").touch()
    monkeypatch.chdir(tmp_path / "notebooks")
    assert own_folder() == Path(__file__).resolve().parents[2] / "own"
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "own_1_clip.py").write_text(HALF)
    assert own_folder() == tmp_path / "own"
    assert find("own.1")[1].function == "clip"


def test_a_folder_in_no_home_is_told(folder, shown, monkeypatch):
    """Catches a check that raises where no home folder is known."""
    monkeypatch.setenv("COURSE_EXERCISES", "mine")
    monkeypatch.setattr("pathlib.Path.home", lambda: (_ for _ in ()).throw(RuntimeError("none")))
    check("own.1", lambda x, parts: x / parts)
    assert "set COURSE_EXERCISES to an absolute path" in repr(shown[0])
    assert find("0.1")[1].function == "one_step"


def test_its_author_is_told_of_mistakes_that_nobody_meets(folder):
    """Catches a mistake that is right, or that another one hides."""
    assert faults_in(find("own.1")[1]) == []
    hidden = HALF.replace("x: x / 2,", "x: x,").replace(
        "lambda x, parts: x / 2", "lambda x, parts: x * parts"
    )
    (folder / "own_1_clip.py").write_text(hidden + "\n")
    assert faults_in(find("own.1")[1]) == ['"half" gets this instead: You multiply.']


def test_its_author_is_told_of_a_kind_that_nobody_knows_and_of_memory(folder):
    """Catches a kind that no statement can name, and a reference that is not right twice."""
    text = HALF.replace("import annotations\n", "import annotations\n\nCALLS = []\n")
    text = text.replace("share = x", "CALLS.append(x)\n    share = len(CALLS) * x")
    text = text.replace("hints=", 'kind="dance",\n    hints=').replace(
        '"x / parts", "x * parts"', '"x /", "x *"'
    )
    (folder / "own_1_clip.py").write_text(text)
    kind, reference, *_ = faults_in(find("own.1")[1])
    assert "'dance'" in kind
    assert "its own reference is not right" in reference
