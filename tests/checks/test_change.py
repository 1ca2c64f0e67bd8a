"""A mistake as a change of text fits once, becomes a function, and says whose it is."""

from __future__ import annotations

import linecache
import subprocess
import sys
import traceback
from dataclasses import replace

import pytest

from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.find_exercise import FOLDER, Place, all_exercises, places

BASE = 10


def scaled(numbers: list[float], by: float) -> list[float]:
    """Return numbers times by."""
    found = []
    for number in numbers:
        found.append(number * by + BASE)
    return found


def without_words(number):
    number = number + 1
    return number * 2


def exercise_with(change: Change) -> Exercise:
    mistake = Misconception("a slip", change, "You slipped.")
    return Exercise("9.1", "scale", scaled, lambda: [([1.0], 2.0)], (mistake,), ("a", "b", "c"))


def wrong(change: Change):
    return exercise_with(change).misconceptions[0].wrong


def test_a_change_becomes_a_function_of_the_same_module():
    """Catches a change that is made in another world, where names of the file mean nothing."""
    assert scaled([1.0, 2.0], 3.0) == [13.0, 16.0]
    assert wrong(Change("* by", "/ by"))([6.0], 3.0) == [12.0]
    assert wrong(Change("+ BASE", "- BASE")).__globals__ is globals()


def test_only_the_body_is_changed():
    """Catches a name that counts twice because the signature or the docstring holds it too."""
    assert wrong(Change("number * by", "by"))([6.0], 3.0) == [13.0]
    assert wrong(Change("number * by", "by")).__doc__ == scaled.__doc__


def test_a_reference_without_a_docstring_is_changed_from_its_first_line():
    """Catches a first statement that is taken for words."""
    made = Change("+ 1", "+ 3").made_in(without_words, "a slip")
    assert made(1) == 8


def test_changes_follow_one_another():
    """Catches an `also` that is looked for in the text as it was before."""
    change = Change("found = []", "found = [number]", also={"[number]": "[0.0]"})
    assert wrong(change)([1.0], 1.0) == [0.0, 11.0]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (Change("* bye", "/ by"), "'* bye' occurs 0 times in the body of scaled, not once"),
        (Change("found", "lost"), "'found' occurs 3 times"),
        (Change("* by", "/ by", also={"* by": "- by"}), "'* by' occurs 0 times"),
        (Change("found = []", "found = ["), "would not parse"),
        (Change("* by", "* bye"), "needs bye, which its file lacks"),
    ],
)
def test_a_change_that_does_not_fit_names_its_exercise_and_mistake(change, says):
    """Catches a mistake that is quietly the right answer, or stops in the middle of a check."""
    with pytest.raises(ValueError, match=r'exercise 9\.1, "a slip"') as caught:
        exercise_with(change)
    assert says in str(caught.value)


def test_a_change_belongs_to_an_exercise():
    """Catches a change that is called as if it were a function, and a lambda that is changed."""
    with pytest.raises(TypeError, match="put it into one"):
        _ = Misconception("a slip", Change("a", "b"), "You slipped.").wrong
    with pytest.raises(ValueError, match="only a function can be changed"):
        replace(exercise_with(Change("* by", "")), reference=max,
                misconceptions=(Misconception("a", Change("a", "b"), ""),))  # fmt: skip


def test_a_trace_shows_the_changed_line():
    """Catches a stack trace without a line, or with the reference's."""
    try:
        wrong(Change("* by", "* by / 0"))([1.0], 2.0)
    except ZeroDivisionError as error:
        line = traceback.extract_tb(error.__traceback__)[-1].line
    assert line == "found.append(number * by / 0 + BASE)"
    file = wrong(Change("* by", "/ by")).__code__.co_filename
    assert "        found.append(number / by + BASE)\n" in linecache.getlines(file)


def test_every_file_is_named_after_its_exercise():
    """Catches a file whose name, which is all that progress reads, says another function."""
    loaded = {number: exercise for number, (_, exercise) in all_exercises().items()}
    assert {n: e.function for n, e in loaded.items()} == {
        n: p.function for n, p in places().items()
    }
    files = {path for path in FOLDER.rglob("*.py") if path.name[0] == "e"}
    assert files == {place.file for place in places().values()}
    wrong_name = Place("0.1", "another_step", places()["0.1"].file)
    with pytest.raises(ValueError, match=r"e0_1_one_step.py holds exercise 0\.1, one_step"):
        wrong_name.load()


def test_one_exercise_loads_no_other():
    """Catches a check, or the progress shown below it, that loads 67 files for one."""
    script = """
import sys
from course_utils.checks.find_exercise import find
from course_utils.checks.progress import read_progress
find("2.6")
read_progress()
print(*sorted(m.rpartition(".")[2] for m in sys.modules if ".exercises.ex" in m))
"""
    told = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == ["e2_6_repaired_bptt", "ex02_gradients"]
