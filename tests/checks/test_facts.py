"""A fact that is so is printed; one that is not stops the lecture."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from course_utils.checks import holds, same
from course_utils.checks.promises import facts


@pytest.fixture
def shown(monkeypatch):
    """Collect what would be displayed."""
    notes = []
    monkeypatch.setattr(facts, "display", notes.append)
    return notes


@pytest.mark.parametrize(
    ("one", "other", "within", "words"),
    [
        (np.arange(3), torch.arange(3), 0, "rows: they are equal"),
        (1.0, 1.0 + 1e-9, 1e-8, "rows: they differ by 10⁻⁹"),
        ([1, 2], (1, 2), 0, "rows: they are equal"),
        (torch.ones(2, requires_grad=True), np.ones(2), 0, "rows: they are equal"),
        (torch.zeros(0), [], 0, "rows: they are equal"),
    ],
)
def test_what_is_the_same_is_told(shown, one, other, within, words):
    """Catches a comparison that knows one kind of array only."""
    same("rows", one, other, within)
    assert repr(shown[0]) == f"✓ {words}"
    assert words in shown[0]._repr_html_()


@pytest.mark.parametrize(
    ("one", "other", "within"),
    [
        (1, 2, 0),
        ([1, 2], [1, 2.1], 0.05),
        (math.nan, 1, 9),
        (math.nan, math.nan, 9),
        (math.inf, 1, 9),
    ],
)
def test_what_is_not_the_same_stops(shown, one, other, within):
    """Catches a largest entry that hides the others, and NaN that is within everything."""
    with pytest.raises(facts.FactBroken, match=r"this is your result: rows: they differ by"):
        same("rows", one, other, within)
    assert not shown


def test_shapes_are_not_stretched():
    """Catches a row that is compared with a whole matrix."""
    with pytest.raises(ValueError, match=r"rows: shapes \(3,\) and \(2, 3\)"):
        same("rows", np.ones(3), np.ones((2, 3)))


def test_a_sentence_holds_or_stops(shown):
    """Catches a sentence that is printed whether it is true or not."""
    holds("three & no more", torch.tensor(3) == 3)
    assert repr(shown[0]) == "✓ three & no more"
    assert "three &amp; no more" in shown[0]._repr_html_()
    with pytest.raises(facts.FactBroken, match="your result: it does not hold here: four"):
        holds("four", False)
