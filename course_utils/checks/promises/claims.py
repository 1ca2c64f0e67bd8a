"""A claim: a number the lecture rests on, measured where it stands, wrong nowhere for long."""

from __future__ import annotations

import html
import math
import re
from typing import NamedTuple

from IPython.display import display

from course_utils.checks.mark_colour import mark_colour
from course_utils.checks.promises.broken import REPORT, Broken, tell_or_raise
from course_utils.numbers import number as rounded
from course_utils.numbers import whole_or_rounded

NUMBER = re.compile(r"\d\d\.\d+")


class ClaimBroken(Broken):
    """A measured number lies outside the band that the lecture promises."""


class Measured(NamedTuple):
    """What a claim found: the number, its band, and what it means, in one sentence."""

    number: str
    value: float
    low: float | None
    high: float | None
    says: str
    looked_up: str = ""  # the shipped file that the number comes from

    @property
    def holds(self) -> bool:
        """Infinity lies outside every band: it is what a division by zero leaves."""
        inside = (self.low is None or self.value >= self.low) and (
            self.high is None or self.value <= self.high
        )
        return math.isfinite(self.value) and inside

    @property
    def band(self) -> str:
        return _band_in_words(self.low, self.high)

    @property
    def verb(self) -> str:
        return f"{self.looked_up} says" if self.looked_up else "measured"

    def __repr__(self) -> str:
        says = f"{self.says}: " if self.says else ""
        found = f"{self.verb} {whole_or_rounded(self.value)}, {self.band}"
        return f"Claim {self.number} holds. {says}{found}."

    def _repr_html_(self) -> str:
        says = f"{html.escape(self.says)}: " if self.says else ""
        return (
            '<div style="border-left:3px solid #00875f;padding:2px 12px">'
            f'<b style="{mark_colour("#00875f")}">✓ {self.number}</b>&ensp;{says}'
            f"{html.escape(self.verb)} <b>{whole_or_rounded(self.value)}</b>, {self.band}.</div>"
        )

    def broken(self) -> ClaimBroken:
        """Return what a number outside the band says, in one line."""
        says = f" ({self.says})" if self.says else ""
        return ClaimBroken(
            f"claim {self.number}: this is your result: {self.verb} {rounded(self.value, 9)}, "
            f"the lecture promises {self.band}{says}. {REPORT}"
        )


def claim(
    number: str,
    value: float,
    low: float | None = None,
    high: float | None = None,
    says: str = "",
    looked_up: str = "",
) -> None:
    """Show a measured number against its band; outside it say so, and fail where nobody reads.

    A number that no cell measures names the shipped file in which it is looked up.
    """
    if not NUMBER.fullmatch(str(number)):
        raise ValueError(f"a claim is numbered like '03.4' (lecture.claim), not {number!r}")
    _refuse_no_band(number, low, high)
    conclude(Measured(number, _one_number(number, value), low, high, says, looked_up))


def conclude(found: Measured) -> None:
    """Show a claim that holds; say what is broken, or fail."""
    if found.holds:
        display(found)
    else:
        tell_or_raise(found.broken())


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
        assert high is not None  # `claim` refuses a band without an end
        return f"at most {_limit(high)}"
    if high is None:
        return f"at least {_limit(low)}"
    if low == high:
        return f"exactly {_limit(low)}"
    if _limit(low) == _limit(high):
        return f"{_limit(low)} up to rounding"
    return f"between {_limit(low)} and {_limit(high)}"


def _limit(value: float) -> str:
    return whole_or_rounded(value, digits=6)
