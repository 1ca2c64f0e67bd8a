"""Values are compared as the learner means them, in whatever clothes they come."""

from __future__ import annotations

import pytest
import torch

from course_utils.checks.judging.compare import compare
from tests.checks.judging.asked import asked

MATRIX = torch.arange(6.0, dtype=torch.float64).reshape(3, 2)


@pytest.mark.parametrize(
    ("have", "yours"),
    [
        (2**63 - 1, "9.223e+18"),
        (2**63, "9.223e+18"),
        (-(2**63), "-9.223e+18"),
        (-(2**63) - 1, "-9.223e+18"),
        (10**400, "1e+300"),
        (-(10**400), "-1e+300"),
    ],
)
def test_whole_numbers_have_no_end(have, yours):
    """Catches: a factorial beyond 64 bits, or beyond floats, that stops the judge."""
    told = compare(asked(lambda: 1.0), 1.0, have)
    assert told == f"the result should be 1, yours is {yours}."


def test_a_list_of_rows_is_a_matrix():
    """Catches: columns taken for rows where a matrix is not square."""
    assert compare(asked(lambda: MATRIX), MATRIX, MATRIX.tolist()) == ""
    assert compare(asked(lambda: MATRIX), MATRIX, [*map(tuple, MATRIX.tolist())]) == ""
    assert "yours has shape (2,)" in compare(asked(lambda: MATRIX), MATRIX, MATRIX.T.tolist())


def test_a_set_of_places_is_a_list_in_rising_order():
    """Catches: {0, 2} refused where places are asked for, or taken where order says something."""
    assert compare(asked(lambda: [0, 2]), [0, 2], {2, 0}) == ""
    assert "value 2 of 2" in compare(asked(lambda: [0, 2]), [0, 2], {0, 3})
    assert "which has no order" in compare(asked(lambda: [2, 0]), [2, 0], {0, 2})
    assert "no values, yours has 1 value" in compare(asked(lambda: [0]), [], {4})


@pytest.mark.parametrize(("want", "have"), [({"A"}, {}), (set(), "A"), (set(), {"A": 1})])
def test_an_empty_dict_is_named_only_where_the_empty_set_is_meant(want, have):
    """Catches: "write set()" to somebody whose set should hold something, or who wrote a text."""
    assert "should be a set, yours is" in compare(asked(lambda: want), want, have)
    assert "write set()" in compare(asked(set), set(), {})
