"""What a class predicted is counted, and shown beside what came out."""

from __future__ import annotations

import json

import pytest

from course_utils.classroom.collect import Found
from course_utils.classroom.grading import Version
from course_utils.classroom.marks import Marks
from course_utils.classroom.predicted import Group, tallies
from course_utils.classroom.submission import as_handin, read_submission
from tests.classroom.school import lecture

FOUND = Found("", "", 0, None, False, bytes)


def asking(call: str) -> list[dict]:
    """Return a lecture with one prediction."""
    return [{"cell_type": "code", "id": "a", "source": f"x = 1\n{call}"}]


def told(call: str, guesses: list[str], results: tuple[str, ...] = ()) -> list[Group]:
    """Return the groups of what a class wrote for `02.a`."""
    rows = [
        Marks(str(k), "", Version(FOUND, predictions={"02.a": guess}))
        for k, guess in enumerate(guesses)
    ]
    rows += [Marks("", "", Version(FOUND, results={"02.a": result})) for result in results]
    (one,) = tallies(asking(call), rows)
    assert one.guesses == len(guesses)
    assert sum(group.students for group in one.groups) == len(guesses)
    return one.groups


def test_choices_are_counted_beside_what_came_out():
    """Catches a choice that nobody took and nobody sees, and one that is counted twice."""
    call = 'predict("02.a", "Which?", ["a tanh", "none"])'
    groups = told(call, ["a tanh", "A  Tanh", "none", "why?"], ("none of them",) * 2 + ("a tanh",))
    assert groups == [("a tanh", 2, False), ("none", 1, True), ("why?", 1, False)]
    assert told('predict("02.a", "Which?", options=names)', ["b", "b", "c"])[0] == ("b", 2, False)
    assert ("none", 0, False) in told(call, ["a tanh"])


def test_numbers_are_put_in_order():
    """Catches the same number in two forms as two groups, and words among numbers lost."""
    groups = told('predict("02.a", "How much?")', ["1/2", "0.5", "50e-2", "about 3", "?"], ("3",))
    assert groups == [("0.5", 3, False), ("3", 1, True), ("?", 1, False)]


@pytest.mark.parametrize(
    ("guesses", "came_out", "where"),
    [
        ([10.0**-k for k in range(12)], "6e-8 and more", "10⁻⁸ to 10⁻⁷"),
        ([40.0 + k for k in range(30)], "51", "50 to 55"),
        ([-5000.0, *(40.0 + k for k in range(30)), 9e9], "53", "40 to 60"),
        ([-3.0, -2, -1, 0, 1, 2, 3, 4], "0.5", "0 to 2"),
        ([0.0] * 50 + [1, 2, 3, 4, 5, 6], "0", "0 to 1"),
    ],
)
def test_many_numbers_are_few_groups(guesses, came_out, where):
    """Catches a line for each of two hundred guesses, and a far one that hides the others."""
    texts = [f"{guess:g}" for guess in guesses]
    groups = told('predict("02.a", "How much?", unit="%")', texts, (came_out,))
    assert len(groups) <= 13
    (here,) = [group for group in groups if group.came_out]
    assert here.label == where


def test_what_a_lecture_asks_is_found_and_nothing_else():
    """Catches a lecture whose predictions nobody counts, and another lecture's among them."""
    cells = lecture("02")["cells"]
    said = {f"02.{k}": "0.1" for k in "abcde"} | {"03.a": "1", "x" * 10**6: "y" * 10**6}
    rows = [Marks("ann", "", Version(FOUND, predictions=said)), Marks("bob", "", None)]
    found = tallies(cells, rows)
    assert [one.name for one in found] == [f"02.{k}" for k in "abcde"]
    assert found[4].question.endswith("seen before? (%)")
    assert tallies(cells, []) == []


def test_what_came_out_is_handed_in():
    """Catches a result that is lost on the way, or takes a remark with it."""
    cells = lecture("02")["cells"]
    said = [
        "⚖ Prediction 02.a: you wrote “one half”; the result is 6e-13 at lag 50. (a restart …)",
        "⚖ Prediction 02.b: you wrote nothing down; the result is the sigmoid.",
    ]
    for cell, text in zip((c for c in cells if c["cell_type"] == "code"), said, strict=False):
        cell["outputs"] = [{"output_type": "display_data", "data": {"text/plain": text}}]
    found = read_submission(json.dumps({"cells": cells, "nbformat": 4}).encode(), cells)
    assert found.predictions == {"02.a": "one half"}
    assert found.results == {"02.a": "6e-13 at lag 50", "02.b": "the sigmoid"}
    assert read_submission(as_handin(found, "02"), cells) == found
    older = json.loads(as_handin(found, "02"))
    del older["results"]
    assert read_submission(json.dumps(older).encode(), cells).predictions == found.predictions
