"""A claim: a number the lecture rests on, measured where it stands, so never wrong for long.

    claim("02.6", left, high=1e-20, says="At radius 0.5, {:1} of it is left after 50 steps.")

It is a sentence with its number inside. What is only a step on the way is `quiet`: checked like any
other, recorded in docs/claims.md, and a fold away from the page.
"""

from __future__ import annotations

import math
import re

from IPython import get_ipython
from IPython.display import DisplayHandle, display

from course_utils.checks.promises.broken import tell_or_raise
from course_utils.checks.promises.measured import ClaimBroken, Measured, Quiet

__all__ = ["ClaimBroken", "Measured", "claim", "conclude"]

NUMBER = re.compile(r"\d\d\.\d+")


def claim(
    number: str,
    value: float,
    low: float | None = None,
    high: float | None = None,
    says: str = "",
    looked_up: str = "",
    quiet: bool = False,
) -> None:
    """Show a sentence with its measured number; outside its band say so, or fail.

    `says` holds {} for the number, {:1} for one digit of it, {:%} for a percentage. A number that
    no cell measures names the shipped file in which it is looked up.
    """
    if not NUMBER.fullmatch(str(number)):
        raise ValueError(f"a claim is numbered like '03.4' (lecture.claim), not {number!r}")
    _refuse_no_band(number, low, high)
    found = Measured(number, _one_number(number, value), low, high, says, looked_up, quiet)
    _refuse_no_sentence(found)
    conclude(found)


def conclude(found: Measured) -> None:
    """Show a claim that holds; say what is broken, or fail."""
    if not found.holds:
        tell_or_raise(found.broken())
    elif found.quiet:
        fold.add(found)
    else:
        display(found)


class Fold:
    """Where the quiet claims of the running cell stand: one line for all of them."""

    def __init__(self) -> None:
        self.cell: object = None
        self.quiet = Quiet()
        self.place: DisplayHandle | None = None

    def add(self, found: Measured) -> None:
        """Show one more claim, in the cell's one fold."""
        running = _running_cell()
        if running is None or running != self.cell or self.place is None:
            self.cell, self.quiet = running, Quiet()
            self.quiet.found.append(found)
            self.place = display(self.quiet, display_id=True)
        else:
            self.quiet.found.append(found)
            self.place.update(self.quiet)


fold = Fold()


def _running_cell() -> object:
    """Return what tells this run of a cell from every other, nothing outside of IPython.

    A kernel counts only the runs that go into its history.
    """
    shell = get_ipython()
    kernel = getattr(shell, "kernel", None)
    request = kernel.get_parent().get("header", {}) if kernel is not None else {}
    return request.get("msg_id") or (shell.execution_count if shell else None)


def _refuse_no_band(number: str, low: float | None, high: float | None) -> None:
    ends = [end for end in (low, high) if end is not None]
    if not ends:
        raise ValueError(f"claim {number} has no band, so nothing could break it: give low or high")
    if not all(math.isfinite(end) for end in ends) or ends != sorted(ends):
        raise ValueError(f"claim {number} has the band {ends}: give finite ends, low before high")


def _refuse_no_sentence(found: Measured) -> None:
    try:
        found.sentence()
    except (IndexError, KeyError, ValueError) as error:
        raise ValueError(
            f"claim {found.number} says {found.says!r}, which leaves no one place for its number: "
            "write {}, {:1} for one digit, {:%} for a percentage"
        ) from error


def _one_number(number: str, value: float) -> float:
    try:
        return float(value.detach() if hasattr(value, "detach") else value)
    except (TypeError, ValueError, RuntimeError) as error:
        shape = getattr(value, "shape", None)
        what = type(value).__name__ if shape is None else f"shape {tuple(shape)}"
        raise TypeError(
            f"claim {number} needs one real number, not {what}: take its mean, or its worst entry"
        ) from error
