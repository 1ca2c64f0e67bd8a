"""A fact: what must be so by theorem or arithmetic, checked and printed where it stands.

No measured number could refute it, so it is not a claim: it shows that code and formula agree.
"""

from __future__ import annotations

import html

import numpy as np
from IPython.display import display

from course_utils.checks.box import GREY, box, marked
from course_utils.checks.promises.broken import REPORT, Broken, tell_or_raise
from course_utils.numbers import number


class FactBroken(Broken):
    """Two things that must be the same are not, or a sentence that must be true is not."""


class Fact:
    """A fact that was checked, as a notebook shows it."""

    def __init__(self, says: str, found: str = ""):
        self.says, self.found = says, found

    def __repr__(self) -> str:
        return f"✓ {self.says}{self.found}"

    def _repr_html_(self) -> str:
        words = html.escape(f"{self.says}{self.found}")
        return box(GREY, f"{marked(GREY, '✓')}&ensp;{words}")


def holds(says: str, truth: object) -> None:
    """Show a sentence that is true; break when it is false: holds("T steps, T losses", n == T)."""
    if not bool(truth):
        tell_or_raise(FactBroken(f"this is your result: it does not hold here: {says}. {REPORT}"))
    else:
        display(Fact(says))


def same(says: str, one: object, other: object, within: float = 0.0) -> None:
    """Show that two arrays or numbers are the same up to `within`, entry by entry."""
    a, b = (_array(values) for values in (one, other))
    if a.shape != b.shape:
        raise ValueError(f"{says}: shapes {a.shape} and {b.shape} cannot be the same")
    apart = float(np.abs(a - b).max(initial=0.0))
    found = f": they differ by {number(apart, 1)}" if apart else ": they are equal"
    if apart <= within:  # false for NaN
        display(Fact(says, found))
    else:
        allowed = f"the lecture promises at most {number(within, 6)}"
        tell_or_raise(FactBroken(f"this is your result: {says}{found}, {allowed}. {REPORT}"))


def _array(values: object) -> np.ndarray:
    if hasattr(values, "detach"):
        values = values.detach().cpu()
    return np.asarray(values, dtype=np.float64)
