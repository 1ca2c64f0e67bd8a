"""Numbers as people write them: 0.0017 and 586,000; a power of ten only where zeros would blur."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from statistics import median

SMALLEST, LARGEST = 1e-4, 1e7  # between them no power of ten is needed
TIMES = "\u00a0×\u00a0"  # no line ends inside a number
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_FOR_MACHINES = re.compile(r"(?<![\w.])[-−]?(\d+(?:\.\d+)?)e[-+]?\d+(?!\w)")  # 6.1e-31


def number(value: float, digits: int = 2) -> str:
    """Return a number in words' company, rounded to N significant digits."""
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


def whole_or_rounded(value: float, digits: int = 3) -> str:
    """Return a whole number in full, as one that was counted, and any other rounded."""
    value = float(value)
    if math.isfinite(value) and value.is_integer() and abs(value) < 1e9:
        return f"{int(value):,}".replace("-", "−")
    return number(value, digits)


def with_range(values: Iterable[float], digits: int = 3) -> str:
    """Return the middle of several runs, and the lowest and the highest: 0.871 (0.870–0.888)."""
    runs = list(values)
    low, middle, high = (
        f"{value:.{digits}f}".replace("-", "−") for value in (min(runs), median(runs), max(runs))
    )
    dash = " to " if "−" in low else "–"  # beside a minus a dash is no dash
    return f"{middle} ({low}{dash}{high})"


def for_people(text: str) -> str:
    """Return a text with every 6.1e-31 in it written as people write it, no digit lost."""

    def written(found: re.Match[str]) -> str:
        digits = len(found[1].replace(".", ""))
        return number(float(found[0].replace("−", "-")), digits)

    return _FOR_MACHINES.sub(written, text)


def share(value: float) -> str:
    """Return a part of a whole in percent, which is never rounded to none or to all."""
    percent = 100 * float(value)
    if 0 < percent < 0.5:
        return f"{number(percent, 1)}%"
    if 99.5 <= percent < 100:
        return f"{min(percent, 99.9):.1f}%"
    return f"{percent:.0f}%"


def signed_number(value: float) -> str:
    """Return two decimals with a real minus sign; never minus zero."""
    return f"{round(float(value), 2) + 0.0:.2f}".replace("-", "−")
