"""What is said of an answer: in the learner's words, once, and about the learner's own lines."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

from course_utils.checks.judging.judge import judge
from course_utils.checks.judging.wording import kind_of, written
from course_utils.files import plain_name
from tests.checks.judging.asked import asked

SUM = asked(lambda x, y: x + y, (torch.ones(2), torch.zeros(2)))


def changes_y(x, y):
    y += 1
    return x + y - 1


def wrong_and_changes_y(x, y):
    y += 1
    return x + y


def test_a_changed_argument_is_told_by_its_name_and_once():
    """Catches: a change that is not told beside a wrong value, told twice, or told of nobody."""
    only = judge(SUM, changes_y).message
    assert only.endswith(
        "your function changes its argument y in place. Work on a new one instead."
    )
    assert only.count("in place") == 1
    both = judge(SUM, wrong_and_changes_y).message
    assert "is off: at [0]" in both
    assert both.endswith("Also, your function changes its argument y in place.")
    assert "in place" not in judge(SUM, lambda x, y: x - y + 1).message


def test_the_line_named_is_the_courses_own_where_that_is_what_was_given():
    """Catches: the whole course taken for the judge's own frames, so that no line is named."""
    one = asked(lambda x: x, (torch.ones(2),))
    assert 'in the line `return name.replace("-", "_")`' in judge(one, partial(plain_name)).message


def test_a_kind_has_its_article():
    """Catches "a object" and "an dict"."""
    assert [kind_of(kind) for kind in (object(), [1, 2], {}, Path())] == [
        "an object", "a list of 2", "a dict of 0", f"a {type(Path()).__name__}",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([1, 2.0, 0.5], "[1, 2.0, 0.5]"), ((1, [2]), "(1, [2])"), ((1,), "(1,)"), ((), "()"),
        ({"a": (0.25, True)}, "{'a': (0.25, True)}"), (torch.tensor([1, 2]), "tensor([1, 2])"),
        (np.array([0.5]), "[0.5]"), (np.float64(3), "3.0"), (torch.tensor(2.5), "2.5"),
        (torch.ones(41), "a tensor of shape (41,)"), ([0] * 40, str([0] * 40)),
        (torch.zeros(40).long(), f"tensor({[0] * 40})"),
    ],
    ids=repr,
)  # fmt: skip
def test_a_value_is_written_as_it_can_be_typed(value, text):
    """Catches: a list shown as a tuple, and one number in brackets that is no tuple."""
    assert written(value) == text
