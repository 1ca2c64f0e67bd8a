"""The axes for one cell over the letters of a^n b^n, beside what it should be."""

from __future__ import annotations

from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from course_utils.plots.style import (
    FAINT,
    add_headline,
    add_legend,
    keep_places,
    look,
    style_axes,
)


class OneCell(NamedTuple):
    """What moves when the cell does."""

    right: Line2D
    cell: Line2D
    end: Line2D
    headline: Text


def draw_one_cell(figure: Figure, right: str, cell: str) -> tuple[Axes, OneCell]:
    """Prepare the picture; `right` and `cell` are the names of its two lines."""
    keep_places(figure, 0.11, 0.16, 0.985, 0.905)
    ax = style_axes(figure.add_subplot())
    ax.set(xlabel="letters read: first all a, then all b", ylabel="cell $c_t$")
    ax.axhline(0, color=FAINT, linewidth=1)
    (should_be,) = ax.plot([], [], label=right, **look("reference").line_style())
    (line,) = ax.plot([], [], label=cell, **look("c").line_style())
    (end,) = ax.plot([], [], "o", color=look("bound").colour, markersize=8)
    moving = OneCell(should_be, line, end, add_headline(ax))
    add_legend(ax, loc="upper right")
    return ax, moving
