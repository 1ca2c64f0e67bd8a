"""A claim: a number the lecture rests on, measured where it stands, wrong nowhere for long."""

from __future__ import annotations

import html
import math
import re

from IPython.display import display

NUMBER = re.compile(r"\d\d\.\d+")


class ClaimBroken(AssertionError):
    """A measured number has left the band that the lecture promises."""


class Measured:
    """What a claim shows: the number, its band, and what it means, in one sentence."""

    def __init__(self, number: str, says: str, value: float, low: float | None, high: float | None):
        self.number, self.says, self.value = number, says, value
        self.band = _band_in_words(low, high)

    def __repr__(self) -> str:
        says = f"{self.says}: " if self.says else ""
        return f"Claim {self.number} holds. {says}measured {_number(self.value)}, {self.band}."

    def _repr_html_(self) -> str:
        says = f"{html.escape(self.says)}: " if self.says else ""
        return (
            '<div style="border-left:3px solid #00875f;padding:2px 12px">'
            f'<b style="color:#00875f">✓ {self.number}</b>&ensp;{says}'
            f"measured <b>{_number(self.value)}</b>, {self.band}.</div>"
        )


def claim(
    number: str,
    value: float,
    low: float | None = None,
    high: float | None = None,
    says: str = "",
) -> None:
    """Show a measured number against its band; raise ClaimBroken when it lies outside.

    Infinity lies outside every band: it is what a division by zero leaves, not a measurement.
    """
    if not NUMBER.fullmatch(str(number)):
        raise ValueError(f"a claim is numbered like '03.4' (lecture.claim), not {number!r}")
    _refuse_no_band(number, low, high)
    value = _one_number(number, value)
    measured = Measured(number, says, value, low, high)
    inside = (low is None or value >= low) and (high is None or value <= high)
    if not (math.isfinite(value) and inside):
        raise ClaimBroken(
            f"claim {number} does not hold: {says or 'the number'} was measured as "
            f"{value:.9g}, promised {measured.band}"  # not rounded into the band
        )
    display(measured)


def _refuse_no_band(number: str, low: float | None, high: float | None) -> None:
    ends = [end for end in (low, high) if end is not None]
    if not ends:
        raise ValueError(f"claim {number} has no band, so nothing could break it: give low or high")
    if not all(math.isfinite(end) for end in ends) or ends != sorted(ends):
        raise ValueError(f"claim {number} has the band {ends}: give finite ends, low before high")


def _one_number(number: str, value: float) -> float:
    try:
        return float(value.detach() if hasattr(value, "detach") else value)
    except (TypeError, ValueError, RuntimeError) as error:
        shape = getattr(value, "shape", None)
        what = type(value).__name__ if shape is None else f"shape {tuple(shape)}"
        raise TypeError(
            f"claim {number} needs one real number, not {what}: take its mean, or its worst entry"
        ) from error


def _band_in_words(low: float | None, high: float | None) -> str:
    if low is None:
        return f"at most {_limit(high)}"
    if high is None:
        return f"at least {_limit(low)}"
    if low == high:
        return f"exactly {_limit(low)}"
    if _limit(low) == _limit(high):
        return f"{_limit(low)} up to rounding"
    return f"between {_limit(low)} and {_limit(high)}"


def _number(value: float) -> str:
    value = float(value)
    whole = math.isfinite(value) and value.is_integer() and abs(value) < 1e9
    return f"{int(value):,}" if whole else f"{value:.3g}"


def _limit(value: float) -> str:
    return f"{value:.6g}" if abs(value) < 1e4 else _number(value)
