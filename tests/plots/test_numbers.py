"""Numbers are written as people write them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils.plots.numbers import number, share


@pytest.mark.parametrize(
    ("value", "digits", "said"),
    [
        (0.0017, 2, "0.0017"), (1.7e-7, 2, "1.7 × 10⁻⁷"), (5.86e5, 3, "586,000"), (0, 2, "0"),
        (-0.0, 2, "0"), (5.4, 2, "5.4"), (10.04, 2, "10"), (99.96, 3, "100"), (1e-14, 2, "10⁻¹⁴"),
        (-2.5e9, 2, "−2.5 × 10⁹"), (1234567, 2, "1,200,000"), (0.99996, 3, "1"), (0.5, 2, "0.5"),
        (9.9996e-5, 2, "0.0001"), (math.nan, 2, "no number"), (-math.inf, 2, "−infinity"),
    ],
)  # fmt: skip
def test_numbers_are_written_for_people(value, digits, said):
    """Catches "1.7e-03", a lost minus, and 10 for 99.96 rounded up into a new digit."""
    assert number(value, digits) == said


@given(st.floats(-1e300, 1e300), st.integers(1, 6))
def test_what_is_written_is_the_number(value, digits):
    """Catches zeros cut off a whole number, a power of ten that is one off."""
    text = number(value, digits).replace("−", "-").replace(",", "")
    text = text.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    factor, times, power = text.partition(" × 10")
    if times:
        found = float(f"{factor}e{power}")
    elif text.lstrip("-").startswith("10") and ("10-" in text or _is_power(text, value)):
        found = math.copysign(float(f"1e{text.lstrip('-')[2:]}"), value)
    else:
        found = float(text)
    assert found == pytest.approx(value, rel=0.6 * 10 ** (1 - digits), abs=0)


def _is_power(text: str, value: float) -> bool:
    return abs(value) >= 5e6 and abs(float(text)) < 1e6


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.5, "50%"),
        (0.0, "0%"),
        (1.0, "100%"),
        (0.0004, "0.04%"),
        (0.9999, "99.9%"),
        (0.126, "13%"),
    ],
)
def test_a_share_is_not_rounded_away(value, said):
    """Catches "the likeliest word ... with 0%", and a gate of 0.9999 that keeps 100%."""
    assert share(value) == said
