"""Every gradient dJ_t/dh_k as a heat map, and the fading of a first input as shades."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import PowerNorm

from course_utils.numbers import number, share
from course_utils.plots.picture import Plot, figure_of
from course_utils.plots.style import (
    FAINT,
    FONT_SIZE,
    INK,
    SEQUENCE,
    add_colour_bar,
    add_headline,
    new_axes,
    new_figure,
    style_axes,
)

FLOOR, CEILING = -12, 4  # powers of ten between which the colours run
NEAR = 10  # steps
PLACE, BAR = (0.08, 0.13, 0.77, 0.795), (0.885, 0.13, 0.021, 0.795)  # shares of the figure


class PairNorms(NamedTuple):
    """The norm of dJ_t/dh_k for every pair of steps."""

    norms: np.ndarray  # (T, T): row t, column k


class BpttDrawing:
    """Rows: the loss of step t. Columns: the state of step k. Colour: the size of dJ_t/dh_k."""

    def __init__(self) -> None:
        self.figure = new_figure(height=4.2)
        self.figure.set_layout_engine(None)  # no number on an axis moves the picture
        self.ax = ax = style_axes(self.figure.add_axes(PLACE))
        ax.grid(False)
        self.image = ax.imshow(
            np.zeros((1, 1)), cmap=SEQUENCE, vmin=FLOOR, vmax=CEILING,
            origin="upper", aspect="auto", interpolation="none",
        )  # fmt: skip
        ax.set(xlabel="state of step k", ylabel="loss of step t")
        bar = self.figure.add_axes(BAR)
        add_colour_bar(self.image, ax, r"$\log_{10}\ \|\partial J_t / \partial h_k\|$", bar)
        ax.text(
            0.97, 0.93, "the future: no influence", transform=ax.transAxes, ha="right", va="top",
            size=FONT_SIZE, color=INK,
        )  # fmt: skip
        self.headline = add_headline(ax)
        self.moving = (self.image, self.headline)

    def show(self, pairs: PairNorms) -> str:
        """Show every pair and say what the last loss sends."""
        T = len(pairs.norms)
        with np.errstate(divide="ignore"):
            powers = np.log10(pairs.norms)
        later = np.triu(np.ones((T, T), dtype=bool), 1)  # k > t: the future has no influence
        self.image.set_data(np.ma.masked_where(later, np.clip(powers, FLOOR, CEILING)))
        self.image.set_extent((0.5, T + 0.5, T + 0.5, 0.5))
        self.ax.set(xlim=(0.5, T + 0.5), ylim=(T + 0.5, 0.5))
        self.headline.set_text(_headline(pairs))
        return pairs_in_words(pairs)


def _headline(pairs: PairNorms) -> str:
    last = np.asarray(pairs.norms[-1], dtype=float)
    if not last.any():
        return "Every state is zero: no loss sends anything back"
    return f"{_near(last)} of the last loss's gradient stays in the {NEAR} nearest steps"


def _near(last: np.ndarray) -> str:
    return share(last[-NEAR:].sum() / last.sum())


def pairs_in_words(pairs: PairNorms) -> str:
    """Return how much of the last loss reaches the first state, and how much stays near."""
    T = len(pairs.norms)
    last = np.asarray(pairs.norms[-1], dtype=float)
    if not last.any():
        return f"The loss of step {T} sends nothing back: every state is zero."
    return (
        f"The loss of step {T} sends {number(last[-1])} to its own state and {number(last[0])} to "
        f"the first; the nearest ten states get {_near(last)} of what it sends."
    )


def plot_sensitivity(sensitivity: np.ndarray, ax: Axes | None = None) -> Plot:
    """Shade the units of a network over time by how much they still feel the first input.

    `sensitivity` is (T, H); each shade is relative to the largest value of all.
    """
    T, H = sensitivity.shape
    ax = ax or new_axes(height=2.8)
    shade = sensitivity / sensitivity.max()
    t, unit = np.meshgrid(np.arange(1, T + 1), np.arange(1, H + 1), indexing="ij")
    ahead = np.full((T - 1, H), 0.5)
    ax.quiver(
        t[:-1] + 0.24, unit[:-1], ahead, 0 * ahead, angles="xy", scale_units="xy", scale=1,
        width=0.004, color=FAINT,
    )  # fmt: skip
    # the root lets an eye tell 0.1 from 0
    shades = ax.scatter(
        t, unit, c=shade, s=420, cmap="gray_r", norm=PowerNorm(0.5, 0, 1),
        edgecolors=INK, linewidths=1.2,
    )  # fmt: skip
    add_colour_bar(shades, ax, "influence left")
    ax.grid(False)
    ax.set(xlabel="step", ylabel="hidden unit", xticks=range(1, T + 1), yticks=range(1, H + 1))
    ax.set(xlim=(0.4, T + 0.6), ylim=(0.4, H + 0.6))
    halved = np.flatnonzero(shade.max(axis=1) < 0.1)
    gone = f"below a tenth from step {halved[0] + 1} on" if halved.size else "never below a tenth"
    return Plot(
        figure_of(ax),
        f"{H} units over {T} steps, filled where the first input is still felt: "
        f"its influence is {gone} and {number(shade[-1].max())} of its first size at the end.",
    )
