"""Numbers as people write them: 0.0017 and 586,000; a power of ten only where zeros would blur."""

from __future__ import annotations

import math

SMALLEST, LARGEST = 1e-4, 1e7  # between them no power of ten is needed
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


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
        return f"{sign}{ten}" if factor == "1" else f"{sign}{factor} × {ten}"
    decimals = max(0, digits - 1 - exponent) if rounded else 0
    text = f"{rounded:,.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return sign + text


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
