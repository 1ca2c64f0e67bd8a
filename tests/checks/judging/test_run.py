"""An answer meets copies of its arguments, in the style that it is written for."""

from __future__ import annotations

import math

import pytest
import torch

from course_utils.checks.judging.judge import judge
from course_utils.checks.judging.run import same
from tests.checks.judging.asked import asked

GAPS = torch.tensor([1.0, math.nan, 3.0], dtype=torch.float64)


def fills_the_gap(x):
    found = x.nansum()
    x[1] = 0.0
    return found


def makes_a_gap(x):
    found = x.nansum()
    x[0] = math.nan
    return found


def test_a_gap_in_an_argument_is_no_change():
    """Catches: NaN, which is not equal to itself, taken for "your function changed it"."""
    with_gaps = asked(lambda x: x.nansum(), (GAPS,))
    assert judge(with_gaps, lambda x: x.nansum()).kind == "ok"
    for changes in (fills_the_gap, makes_a_gap):
        assert "changes its argument x in place" in judge(with_gaps, changes).message


@pytest.mark.parametrize(("off", "kind"), [(0.0, "ok"), (5e-5, "wrong")])
def test_what_only_numpy_has_is_tried_on_numpy(off, kind):
    """Catches: NumPy's style that gives tensors, and one that is judged less strictly."""
    total = asked(lambda x: x.sum(), (torch.ones(4, dtype=torch.float64),))
    assert judge(total, lambda x: x.astype("float64").sum() + off).kind == kind


@pytest.mark.parametrize(("off", "kind"), [(0.0, "ok"), (5e-5, "ok"), (2e-3, "wrong")])
def test_float32_is_judged_as_exactly_as_it_can_be(off, kind):
    """Catches: rounding of float32 called wrong, and a mistake that hides behind it."""
    total = asked(lambda x: x.sum(), (torch.ones(4, dtype=torch.float64),))
    ones = torch.ones(4, dtype=torch.float32)
    assert judge(total, lambda x: torch.dot(ones, x) + off).kind == kind


ONES = torch.ones(2, 3)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ONES, ONES.tolist()),
        (ONES.tolist(), ONES),
        (ONES, ONES.T),
        (ONES, torch.ones(1, 3)),  # equal where it is broadcast
        ({"a": 1}, [1]),
        ([1], {"a": 1}),
        ({"a": 1}, {"b": 1}),
        ((1, 2), (1,)),
        ((1,), (1, 2)),
        (1, (1,)),
    ],
)
def test_what_has_another_form_is_not_the_same(one, other):
    """Catches: a container compared by what it has in common with its copy, and an error."""
    assert not same(one, other)
    assert same(one, one)


def test_what_lies_in_a_container_records_no_gradient():
    """Catches: parts of a list that require gradients, which the statement never asks of."""

    def total(parts):
        first, (second,), named = parts
        seen.extend((first, second, named["third"]))
        return first.sum()

    seen = []
    judge(asked(total, ([ONES, (ONES,), {"third": ONES}],)), total)
    assert seen
    assert not any(part.requires_grad for part in seen)
