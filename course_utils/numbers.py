"""Numbers as people write them: 0.0017 and 586,000, with a power of ten only when zeros pile up."""

from __future__ import annotations

import math
import re

SMALLEST, LARGEST = 1e-4, 1e7  # between them no power of ten is needed
LONGEST = 200  # letters of a text that numbers are read from
TIMES = "\u00a0×\u00a0"  # no line ends inside a number
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹\u00a0\u202f", "--0123456789  ")
_PLAIN = r"[-+]?(?:[1-9]\d{0,2}(?:[, ]\d{3})+(?!\d)(?:\.\d+)?|\d*[.,]?\d+)(?:e[-+]?\d{1,3})?"
_AS_PEOPLE_WRITE = re.compile(
    rf"(?<![\w.,^])(?:(?:(?P<times>{_PLAIN})\s*[x*·×]\s*)?"
    rf"10\s*(?:\^|\*\*)\s*(?P<power>[-+]?\d{{1,3}})"
    rf"|(?P<plain>{_PLAIN})(?:\s*/\s*(?P<under>{_PLAIN}))?)",
    re.IGNORECASE,
)
_FOR_MACHINES = re.compile(r"(?<![\w.])[-−]?(\d+(?:\.\d+)?)e[-+]?\d+(?!\w)")  # 6.1e-31


def number(value: float, digits: int = 2) -> str:
    """Return a number for use in running text, rounded to `digits` significant digits."""
    value = float(value)
    if math.isnan(value):
        return "no number"
    if math.isinf(value):
        return "infinity" if value > 0 else "−infinity"
    sign = "−" if value < 0 else ""
    mantissa, _, power = f"{abs(value):.{digits - 1}e}".partition("e")
    exponent = int(power)
    rounded = float(f"{mantissa}e{exponent}")
    if rounded and not SMALLEST <= rounded < LARGEST:
        factor = f"{float(mantissa):g}"
        ten = f"10{str(exponent).translate(_RAISED)}"
        return f"{sign}{ten}" if factor == "1" else f"{sign}{factor}{TIMES}{ten}"
    decimals = max(0, digits - 1 - exponent) if rounded else 0
    text = f"{rounded:,.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return sign + text


def raised(power: int) -> str:
    """Return a whole number as it stands above a line: a + raised(12) is a¹²."""
    return str(power).translate(_RAISED)


def whole_or_rounded(value: float, digits: int = 3) -> str:
    """Return a whole number in full, since it was counted, and any other number rounded."""
    value = float(value)
    if math.isfinite(value) and value.is_integer() and abs(value) < 1e9:
        return f"{int(value):,}".replace("-", "−")
    return number(value, digits)


def for_people(text: str) -> str:
    """Return a text with every 6.1e-31 rewritten as people write it, no digit lost."""

    def written(found: re.Match[str]) -> str:
        digits = len(found[1].replace(".", ""))
        return number(float(found[0].replace("−", "-")), digits)

    return _FOR_MACHINES.sub(written, text)


def read_number(text: str) -> float | None:
    """Return the one number of a text: 1e-3, 0,001, 1/1000, 6 × 10⁻³, "about 20 %"; else None."""
    found = _numbers_in(text)
    return found[0] if len(found) == 1 and len(text) <= LONGEST else None


def first_number(text: str) -> float | None:
    """Return the first number of a text, None where it has none."""
    return next(iter(_numbers_in(text)), None)


def _numbers_in(text: str) -> list[float]:
    raised = re.sub(r"10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", r"10^\1", text[:LONGEST])
    values = [_value(found) for found in _AS_PEOPLE_WRITE.finditer(raised.translate(_LOWERED))]
    return [value for value in values if math.isfinite(value)]


def _value(found: re.Match[str]) -> float:
    if found["power"]:
        return _plain(found["times"] or "1") * float(f"1e{found['power']}")
    under = _plain(found["under"] or "1")
    return _plain(found["plain"]) / under if under else math.nan


def _plain(text: str) -> float:
    """Return a number whose commas and spaces part thousands, unless one comma is its point."""
    parts = re.fullmatch(r"([^,]*),(\d+)((?:e.*)?)", text, re.IGNORECASE)
    decimal = parts and (len(parts[2]) != 3 or parts[1].strip("+-") in ("", "0"))
    return float(text.replace(",", ".") if decimal else re.sub("[, ]", "", text))


def share(value: float) -> str:
    """Return a share as a percentage, never rounded to 0% or 100% unless it is exactly that."""
    percent = 100 * float(value)
    if 0 < percent < 0.5:
        return f"{number(percent, 1)}%"
    if 99.5 <= percent < 100:
        return f"{min(percent, 99.9):.1f}%"
    return f"{percent:.0f}%"


def signed_number(value: float) -> str:
    """Return two decimals with a real minus sign; never minus zero."""
    return f"{round(float(value), 2) + 0.0:.2f}".replace("-", "−")
