"""A memory cell under distractors, step by step."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.patches import Rectangle

from course_utils.plots.end_labels import EndLabels
from course_utils.plots.style import (
    FAINT,
    FONT_SIZE,
    INK,
    add_headline,
    look,
    new_figure,
    style_axes,
)

LIMIT, MOST_STEPS = 1.6, 1000
MOST_POINTS = 400  # more than the picture has room for


class LatchedBit(NamedTuple):
    """The cells of a latch over time, and the gates while it holds."""

    steps: np.ndarray  # (T,)
    cells: np.ndarray  # (T, B)
    kept: np.ndarray  # (T,): the bit times the product of the forget gates
    right: int  # cells that still have the sign of the bit
    forget: float
    write: float


class LatchDrawing:
    """The cell of several runs with the same bit, and what the forget gate alone would leave."""

    def __init__(self) -> None:
        self.figure = new_figure()
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.axhline(0, color=FAINT, linewidth=1)
        ax.set(ylim=(-LIMIT, LIMIT), xlabel="step t", ylabel="memory cell $c_t$")
        for end, bit in ((0.96, 1), (0.04, 0)):
            ax.text(
                0.01, end, f"read as {bit}", transform=ax.transAxes, size=FONT_SIZE - 1,
                color=INK, va="top" if bit else "bottom",
            )  # fmt: skip
        # the half where the bit is lost
        self.wrong = Rectangle(
            (0, 0), 1, LIMIT, transform=ax.get_yaxis_transform(), color=FAINT, alpha=0.25, lw=0
        )
        ax.add_patch(self.wrong)
        colour = look("c").colour
        self.cells = LineCollection([], colors=colour, linewidths=1.2, alpha=0.7, label="cells")
        ax.add_collection(self.cells)
        (self.kept,) = ax.plot([], [], label="kept by f alone", **look("f").line_style())
        self.headline = add_headline(ax)
        self.names = EndLabels(
            ax, {"c": "cells", "f": "f alone"}, {key: look(key).ink for key in "cf"}
        )
        self.moving = (
            self.wrong, self.cells, self.kept, *self.names.texts.values(), self.headline,
        )  # fmt: skip

    def show(self, story: LatchedBit) -> str:
        """Show all cells and say how many still know the bit."""
        some = slice(None, None, 1 + len(story.steps) // MOST_POINTS)
        paths = [np.column_stack([story.steps, cell])[some] for cell in story.cells.T]
        self.cells.set_segments(paths)
        self.kept.set_data(story.steps, story.kept)
        self.ax.set_xlim(0, story.steps[-1])
        self.wrong.set_y(-LIMIT if story.kept[0] > 0 else 0)
        self.names.show({"c": np.median(story.cells[-1]), "f": story.kept[-1]})
        runs = story.cells.shape[1]
        self.headline.set_text(
            f"{story.right} of {runs} cells still know the bit after {story.steps[-1]} steps"
        )
        return latch_in_words(story)


def latch_in_words(story: LatchedBit) -> str:
    """Return how open the gates are while the cell holds, and how many runs still know the bit."""
    runs = story.cells.shape[1]
    return (
        f"While it holds, the forget gate stands at {story.forget:.6f} and the input gate at "
        f"{story.write:.6f}. After {story.steps[-1]} steps {story.right} of {runs} cells have the "
        f"sign of the bit; their mean is {story.cells[-1].mean():.2f}, and the forget gate alone "
        f"would have left {story.kept[-1]:.2f}."
    )
