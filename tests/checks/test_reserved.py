"""A reserved exercise keeps its answer, tries its example, and is counted as handed in."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_utils.checks import check, hint, lecture_calls, show_solution, task
from course_utils.checks.find_exercise import find, places
from course_utils.checks.judging.judge import judge
from course_utils.checks.own_exercise import read_own
from course_utils.checks.progress import keep_solved, read_progress
from course_utils.checks.reserved import as_code, digest_of, full_exercise, reserve
from tests.checks.test_own_exercises import COUNT, HALF

VALUES = [
    3, True, None, "a'b", 1.5, 0.1 + 0.2, float("inf"), 2 + 3j, [1, [2.0]], (1,), (), {"a": {1, 2}},
    set(), torch.tensor([[1.0, 0.1]]), torch.tensor(2.5).double(), torch.tensor([True]),
    torch.zeros(0, 3), np.array([[1, 2]]), np.zeros((0, 2)), torch.tensor([1.0, float("nan")]),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Make a learner's folder and keep progress in a file of its own."""
    monkeypatch.setenv("COURSE_EXERCISES", str(tmp_path / "own"))
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.json"))
    (tmp_path / "own").mkdir()
    return tmp_path / "own"


@pytest.fixture
def shown(monkeypatch):
    """Collect what would be displayed."""
    notes = []
    monkeypatch.setattr(lecture_calls, "display", notes.append)
    return notes


def handed_out(folder, text: str = HALF, **more):
    """Reserve a full file; return it and the learner's file."""
    full = folder.parent / "own_1_clip.py"
    full.write_text(text)
    (folder / full.name).write_text(reserve(full, **more))
    return full, folder / full.name


def test_the_file_holds_no_answer(folder):
    """Catches a reference, a hint, a case or a mistake that goes out with the question."""
    full, learners = handed_out(folder)
    text = learners.read_text()
    for secret in ("x / parts", "x * parts", "Divide", "multiply", "5.0", "share"):
        assert secret in HALF
        assert secret not in text
    assert digest_of(full) in text
    assert "'Divide.'" in reserve(full, hints=1)
    assert "x over parts" not in reserve(full, hints=1)


def test_its_example_is_tried_and_no_more(folder, shown):
    """Catches a check that calls an answer solved, and one that takes any kind of thing."""
    handed_out(folder)
    check("own.1", lambda x, parts: x / parts)
    check("own.1", lambda x, parts: 2.0 if (x, parts) == (6, 3) else 99)
    check("own.1", lambda x, parts: [x, parts])
    check("own.1", lambda x, parts: x * parts)
    check("own.1", lambda x, parts: ...)
    told = [repr(note) for note in shown]
    assert "Right for the example. It will be judged by your instructor." in told[0]
    assert f"0 of {COUNT} solved, 1 handed in; own: 0 of 1" in told[1]
    assert "Asked for: a number." in told[2]
    assert "should be 2, yours is 18" in told[3]
    assert "✓" not in "".join(told)


def test_it_is_counted_as_handed_in(folder, shown):
    """Catches a reserved exercise among the solved, and a solved one that is lost by it."""
    handed_out(folder)
    keep_solved("0.1")
    check("own.1", lambda x, parts: x / parts)
    found = read_progress()
    assert ([*found.solved], found.handed_in) == (["0.1"], {"own.1"})
    assert found.lines()[-2].startswith("own  ◐")
    assert "next" not in found.lines()[-2]


def test_hints_and_solution_stay_with_the_instructor(folder, shown, monkeypatch):
    """Catches hint() that counts hints which are not there, and the stub shown as a solution."""
    monkeypatch.setattr(lecture_calls, "SOLUTIONS", folder)
    handed_out(folder)
    hint("own.1")
    show_solution("own.1")
    task("own.1")
    assert "no hints" in repr(shown[0])
    assert "stays with your instructor" in repr(shown[1])
    assert "clip(6.0, 3) is 2.0" in repr(shown[2])
    assert "judged: by your instructor" in repr(shown[2])


def test_only_the_file_that_was_reserved_judges(folder):
    """Catches marks by a file that was changed since, and one refused for its line ends."""
    full, learners = handed_out(folder)
    reserved = read_own(learners)
    assert full_exercise(full, reserved).misconceptions[0].name == "times"
    full.write_bytes(full.read_bytes().replace(b"\n", b"\r\n"))
    assert full_exercise(full, reserved).number == "own.1"
    full.write_text(HALF.replace("You multiply.", "You multiplied."))
    with pytest.raises(ValueError, match=r"own_1_clip\.py is not the file that exercise own\.1"):
        full_exercise(full, reserved)
    with pytest.raises(ValueError, match="already reserved"):
        reserve(learners)


@pytest.mark.parametrize("number", sorted(places()))
def test_every_exercise_of_the_course_could_be_reserved(number, tmp_path):
    """Catches a kind of answer whose question cannot be written down, or that tells the answer."""
    exercise, file = find(number)[1], places()[number].file
    if exercise.parameters and exercise.example is None:
        with pytest.raises(ValueError, match="needs an example"):
            reserve(file)
        return
    if number == "7.9":  # a model
        with pytest.raises(ValueError, match="holds a _Letters"):
            reserve(file)
        return
    learners = tmp_path / file.name
    learners.write_text(reserve(file))
    reserved = read_own(learners)
    assert judge(reserved, exercise.reference).kind == "handed in"
    assert judge(reserved, lambda *arguments: object()).kind == "wrong"
    if not exercise.parameters:
        assert reserved.reference() != exercise.reference()


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_is_written_to_the_last_digit(value):
    """Catches 0.3 for 0.30000000000000004, a lost dtype, and infinity as a name."""
    again = eval(as_code(value), {"torch": torch, "np": np})
    if isinstance(value, np.ndarray):
        assert (again.tolist(), again.dtype, again.shape) == (
            value.tolist(), value.dtype, value.shape
        )  # fmt: skip
    elif isinstance(value, torch.Tensor):
        assert torch.allclose(again, value, 0, 0, equal_nan=True)
        assert (again.dtype, again.shape) == (value.dtype, value.shape)
    else:
        assert (again, type(again)) == (value, type(value))


CHOICE = """from course_utils.checks.exercise import Exercise


def pick():
    return {answer}


EXERCISE = Exercise("own.2", "pick", pick, lambda: [()], (), (), choices={choices}, gives="one")
"""


@pytest.mark.parametrize(
    ("answer", "choices", "blank"),
    [
        ("y", ("n", "y"), "n"),
        ({"A": "y"}, ("n", "y"), {"A": "n"}),
        ({"A": "two", "B": "b"}, {"A": ("one", "two"), "B": ("a", "b")}, {"A": "one", "B": "a"}),
        ({"A": True, "B": 2.5}, (), {"A": False, "B": 0.0}),
        (("a word", [3, 4]), (), ("", [0, 0])),
        ({"A"}, ("A", "B"), set()),
    ],
    ids=repr,
)
def test_an_answer_without_arguments_is_told_by_its_kind_only(tmp_path, answer, choices, blank):
    """Catches a choice that goes out with its question, and another choice called wrong."""
    full = tmp_path / "own_2_pick.py"
    full.write_text(CHOICE.format(answer=repr(answer), choices=repr(choices)))
    learners = tmp_path / "learners.py"
    learners.write_text(reserve(full))
    reserved = read_own(learners)
    assert reserved.reference() == blank
    assert (
        judge(reserved, lambda: answer).kind == judge(reserved, lambda: blank).kind == "handed in"
    )
    assert judge(reserved, lambda: 3j).kind == "wrong"


def test_a_reference_that_has_no_name_is_told(tmp_path):
    """Catches a question without its function's head."""
    full = tmp_path / "own_2_pick.py"
    text = CHOICE.format(answer=1, choices=()).replace(
        "pick, lambda: [()]", "lambda: 1, lambda: [()]"
    )
    full.write_text(text)
    with pytest.raises(ValueError, match="has no function <lambda> of its own"):
        reserve(full)
