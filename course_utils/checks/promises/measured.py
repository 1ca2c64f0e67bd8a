"""What a claim found: its number, its band, and the sentence that holds the number."""

from __future__ import annotations

import html
import math
from typing import NamedTuple

from course_utils.checks.box import GREEN, box, marked
from course_utils.checks.promises.broken import REPORT, Broken
from course_utils.numbers import number as rounded
from course_utils.numbers import share, whole_or_rounded

SMALL = 'style="float:right;max-width:26em;margin-left:1em;font-size:85%"'


class ClaimBroken(Broken):
    """A measured number lies outside the band that the lecture promises."""


class InSentence(float):
    """A number in a sentence: {} in three digits, {:1} in one, {:%} as a percentage."""

    mark = ""  # the HTML element that it stands in

    def __format__(self, wanted: str) -> str:
        if wanted == "%":
            said = share(self)
        elif wanted.isdecimal():
            said = rounded(self, int(wanted))
        elif wanted:
            raise ValueError(f"write {{}}, {{:1}} (digits) or {{:%}}, not {{:{wanted}}}")
        else:
            said = whole_or_rounded(self)
        return f"<{self.mark}>{said}</{self.mark}>" if self.mark else said


class Bold(InSentence):
    """A number in bold."""

    mark = "b"


class Unsaid(InSentence):
    """A number that is not what the sentence promises."""

    def __format__(self, wanted: str) -> str:
        return "…"


class Measured(NamedTuple):
    """What a claim found: the number, its band, and a sentence with {} where the number goes.

    `quiet` claims are steps on the way: they stand a fold away from the page.
    """

    number: str
    value: float
    low: float | None
    high: float | None
    says: str
    looked_up: str = ""  # the shipped file that the number comes from
    quiet: bool = False

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

    def sentence(self, kind: type[InSentence] = InSentence) -> str:
        """Return the sentence with its number; Bold makes it HTML, and escapes the rest."""
        says = html.escape(self.says) if kind is Bold else self.says
        says = says if is_sentence(says) else f"{says}: {{}}." if says else "{}."
        return says.format(kind(self.value))

    @property
    def margin(self) -> str:
        """Return how far the claim is from breaking, in words."""
        ends = [end for end in (self.low, self.high) if end is not None]
        if len(set(ends)) == 1 and len(ends) == 2:
            return "exact"
        apart = min(abs(self.value - end) for end in ends)
        if len(ends) == 2:
            return f"{rounded(apart)} ({apart / (ends[1] - ends[0]):.0%} of the band)"
        small, large = sorted((self.value, ends[0]))
        if small > 0 and large >= 2 * small:
            return f"{rounded(large / small)} times"
        return rounded(apart)

    @property
    def terms(self) -> str:
        """Return what the page promises, how far away that is, and where the number is from."""
        source = f", looked up in {self.looked_up}" if self.looked_up else ""
        return f"promised: {self.band}; margin: {self.margin}{source}"

    def __repr__(self) -> str:
        return f"✓ {self.sentence()} ({self.number}; {self.terms})"

    def _repr_html_(self) -> str:
        name = f"{self.number}, looked up" if self.looked_up else self.number
        more = f"<summary>{name}</summary>{html.escape(self.terms)}"
        more = f'<details class="course-claim-terms" {SMALL}>{more}</details>'
        inside = f"{more}{marked(GREEN, '✓')}&ensp;{self.sentence(Bold)}"
        return box(GREEN, f'{inside}<div style="clear:both"></div>')

    def broken(self) -> ClaimBroken:
        """Return what to say of a number outside the band, in one line."""
        says = f" ({self.sentence(Unsaid) if is_sentence(self.says) else self.says})"
        return ClaimBroken(
            f"claim {self.number}: this is your result: {self.verb} {rounded(self.value, 9)}, "
            f"the lecture promises {self.band}{says if self.says else ''}. {REPORT}"
        )


class Quiet:
    """The quiet claims of one cell, a fold away."""

    def __init__(self) -> None:
        self.found: list[Measured] = []

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.found))

    def _repr_html_(self) -> str:
        count = len(self.found)
        words = "One more number was" if count == 1 else f"{count} more numbers were"
        rows = "".join(
            f"<li>{one.sentence(Bold)} <small>({one.number}; {html.escape(one.terms)})</small></li>"
            for one in self.found
        )
        summary = f"<summary><small>{marked(GREEN, '✓')} {words} checked here</small></summary>"
        return f'<details class="course-claims-quiet">{summary}<ul>{rows}</ul></details>'


def is_sentence(says: str) -> bool:
    """Return whether a place for the number is left in what a claim says."""
    return "{" in says


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
