"""A cell whose gates a reader sets: what it does over a^n b^n, and how far it counts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from course_utils.numbers import number, raised
from course_utils.plots.counting.one_cell import draw_one_cell
from course_utils.plots.style import new_figure


class SetByHand(NamedTuple):
    """One cell along a^n b^n, what it would be if it counted, and the largest n that it passes."""

    n: int
    cell: np.ndarray  # (2 n + 1,)
    up: float  # what the first a adds
    down: float  # what the first b adds
    longest: int
    limit: int  # the largest n tried


class HandDrawing:
    """The cell over the letters beside a perfect count of the same step."""

    def __init__(self) -> None:
        self.figure = new_figure()
        self.ax, self.moving = draw_one_cell(self.figure, "a perfect count", "this cell")
        self.perfect, self.cell, self.end, self.headline = self.moving

    def show(self, seen: SetByHand) -> str:
        """Show one setting, and say how far it counts."""
        steps, n = np.arange(2 * seen.n + 1), seen.n
        perfect = seen.up * (n - np.abs(steps - n))
        self.perfect.set_data(steps, perfect)
        self.cell.set_data(steps, seen.cell)
        self.end.set_data(steps[-1:], seen.cell[-1:])
        ends = [*seen.cell, *perfect]
        low, high = min(0.0, *ends), max(0.0, *ends)
        room = 0.1 * max(high - low, 0.1)
        self.ax.set(xlim=(0, 1.02 * steps[-1]), ylim=(low - room, high + room))
        self.headline.set_text(_headline(seen))
        return (
            f"The first a adds {number(seen.up, 3)}, the first b {number(seen.down, 3)}. After "
            f"a{raised(n)} the cell is at {number(seen.cell[n], 3)}, after a{raised(n)} "
            f"b{raised(n)} at {number(seen.cell[-1], 3)}. {_headline(seen)}."
        )


def _headline(seen: SetByHand) -> str:
    if seen.longest == 0:
        return "It does not count: even ab goes wrong"
    if seen.longest >= seen.limit:
        return f"It counts: right up to n = {seen.limit}, the largest tried"
    return f"It counts up to n = {seen.longest}"
