"""Numbers are written as people write them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils.numbers import (
    first_number,
    for_people,
    number,
    read_number,
    share,
    whole_or_rounded,
)


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
    assert number(value, digits) == said.replace(" × ", "\u00a0×\u00a0")


@given(st.floats(-1e300, 1e300), st.integers(1, 6))
def test_what_is_written_is_the_number(value, digits):
    """Catches zeros cut off a whole number, a power of ten that is one off."""
    text = number(value, digits).replace("−", "-").replace(",", "")
    text = text.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    factor, times, power = text.partition("\u00a0×\u00a010")
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


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (24483.2, "24,500"),
        (9876543, "9,876,543"),
        (-1, "−1"),
        (0.1234, "0.123"),
        (2e9, "2 × 10⁹"),
    ],
)
def test_what_was_counted_is_written_in_full(value, said):
    """Catches 12,300,000 for a count, digits of noise for a measurement, a hyphen for a minus."""
    assert whole_or_rounded(value) == said.replace(" ", "\u00a0")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("left 6.1e-31 at lag 50", "left 6.1 × 10⁻³¹ at lag 50"),
        ("between 1e-12 and 6e+05.", "between 10⁻¹² and 600,000."),
        ("1.0e+3, -2e-5", "1,000, −2 × 10⁻⁵"),
        ("ids 3e5f, seed1e5, v1.2e3 and 0.5", "ids 3e5f, seed1e5, v1.2e3 and 0.5"),
    ],
)
def test_a_text_for_machines_is_written_for_people(text, said):
    """Catches 1e-12 on a slide, and a name or a hash that is taken for a number."""
    assert for_people(text).replace("\u00a0", " ") == said
    assert "\u00a0×\u00a010" in for_people("6.1e-31")  # no line ends inside it


@given(st.floats(-1e300, 1e300, allow_subnormal=False))
def test_no_digit_is_lost_for_people(value):
    """Catches a rounding on the way from one notation to the other."""
    said = for_people(f"{value:.4e}").replace("\u00a0", " ").replace("−", "-").replace(",", "")
    said = said.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    factor, times, power = said.partition(" × 10")
    if times:
        assert float(f"{factor}e{power}") == float(f"{value:.4e}")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((text, 0.001) for text in ("1e-3", "0.001", "1/1000", "0,001", ".001", "10^-3", "10⁻³")),
        *((text, 6e-13) for text in ("6\u00a0×\u00a010⁻¹³", "6*10**-13", "6 x 10^-13", "6E-13")),
        *((text, 3000) for text in ("3,000", "3 000", "3000.0", "about 3,000 words", "3000?")),
        *((text, -0.5) for text in ("-0.5", "−0.5", "-,5", "-1/2")),
        *((text, 20) for text in ("20%", "20 %", "20-gram")),
        *((text, None) for text in ("", "ten", "2 or 3", "1/0", "1e999", "h50", "nan", "inf")),
        ("1,234,567.5", 1234567.5),
        ("100,5", 100.5),
        ("1e-400", 0),
        ("9" * 100_000, None),
    ],
)
def test_a_number_is_read_as_people_write_it(text, value):
    """Catches a vote for a thousandth that counts as 1 or as 1000, and one of two numbers taken."""
    found = read_number(text)
    assert found == (None if value is None else pytest.approx(value))


@pytest.mark.parametrize("value", [6e-31, 0.0017, 586_000, -12.5, 1e-4, 3e9, 0.0, 1234.5])
def test_what_number_writes_is_read_back(value):
    """Catches a measured value that stands elsewhere on a wall than in its sentence."""
    assert first_number(f"{number(value, 9)} at lag 50") == pytest.approx(value)
