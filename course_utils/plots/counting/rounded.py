"""A count with few bits, beside one without rounding."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from course_utils.numbers import number, raised
from course_utils.plots.counting.one_cell import draw_one_cell
from course_utils.plots.style import new_figure

MOST_POINTS = 600


class RoundedCount(NamedTuple):
    """A cell that goes up n steps and down n steps, its sums rounded."""

    n: int
    bits: int
    step: float  # what a letter adds, rounded too
    cell: np.ndarray  # (2 n + 1,)
    accepted: bool
    predicted: int  # the largest n by the formula for steps of a power of two


class RoundedDrawing:
    """The rounded cell over the letters, and the sum that it should be."""

    def __init__(self) -> None:
        self.figure = new_figure()
        self.ax, self.moving = draw_one_cell(self.figure, "without rounding", "every sum rounded")
        self.exact, self.cell, self.end, self.headline = self.moving

    def show(self, count: RoundedCount) -> str:
        """Show one count, and say what is left of it at the end."""
        n, last = count.n, 2 * count.n
        some = np.unique(np.linspace(0, last, MOST_POINTS).round().astype(int))
        exact = count.step * (n - np.abs(some - n))
        self.exact.set_data(some, exact)
        self.cell.set_data(some, count.cell[some])
        self.end.set_data([last], [count.cell[-1]])
        high = max(exact.max(), count.cell.max(), 1e-9)
        low = min(0.0, count.cell.min())
        self.ax.set(xlim=(0, 1.02 * last), ylim=(low - 0.08 * high, 1.1 * high))
        verdict = "accepted" if count.accepted else "refused"
        said = f"a{raised(n)} b{raised(n)} is {verdict}"
        self.headline.set_text(f"{count.bits} significant bits: {said}")
        return rounded_in_words(count)


def rounded_in_words(count: RoundedCount) -> str:
    """Return how high the cell came, what is left at the end, and what was predicted."""
    verdict = "accepted" if count.accepted else "refused"
    return (
        f"With {count.bits} significant bits and {number(count.step, 4)} per letter the cell "
        f"reaches {number(count.cell.max(), 5)} where {number(count.n * count.step, 5)} is right, "
        f"and ends at {number(count.cell[-1], 4)}: a{raised(count.n)} b{raised(count.n)} is "
        f"{verdict}. For steps of a power of two the last n is 2{raised(count.bits)} = "
        f"{count.predicted:,}."
    )
