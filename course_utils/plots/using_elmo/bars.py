"""Bars: what is left of an error, and what spaces and layers know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from course_utils.plots.picture import Plot, figure_of
from course_utils.plots.style import (
    BLUE,
    FAINT,
    FONT_SIZE,
    INK,
    ORANGE,
    PAPER,
    SKY,
    add_headline,
    add_legend,
    new_axes,
    new_figure,
    style_axes,
)


class Errors(NamedTuple):
    """Errors in percent before and after, and which share of them is gone."""

    names: Sequence[str]
    before: np.ndarray
    after: np.ndarray
    reductions: np.ndarray  # percent


def plot_errors(errors: Errors) -> Plot:
    """Draw the whole error of each task, and what is left of it."""
    rows = np.arange(len(errors.names))
    ax = new_axes(height=0.9 + 0.42 * len(rows))
    ax.grid(False, axis="y")
    ax.barh(rows, errors.before, color=FAINT, alpha=0.5, hatch="//", edgecolor=PAPER, height=0.7)
    ax.barh(rows, errors.after, color=BLUE, height=0.7)
    for row, before, gone in zip(rows, errors.before, errors.reductions, strict=True):
        ax.text(
            before + 0.6, float(row), f"−{gone:.0f}% of it", va="center", size=FONT_SIZE, color=INK
        )
    ax.set_yticks(rows, errors.names)
    ax.invert_yaxis()
    ax.set(xlim=(0, 1.25 * errors.before.max()), xlabel="error (%): grey without ELMo, blue with")
    words = "; ".join(
        f"{name} from {before:.1f} to {after:.1f}, {gone:.1f}% less"
        for name, before, after, gone in zip(*errors, strict=True)
    )
    return Plot(figure_of(ax), f"Errors without and with ELMo: {words}.")


class Known(NamedTuple):
    """How much each space knows, and what is known without it."""

    headline: str
    measure: str
    values: Mapping[str, float]
    chance: float


def plot_known(known: Known) -> Plot:
    """Draw one bar a space, the level of chance across."""
    rows = np.arange(len(known.values))
    figure = new_figure(height=1.4 + 0.36 * len(rows))
    ax = style_axes(figure.add_subplot())
    ax.grid(False, axis="y")
    values = np.array(list(known.values.values()))
    ax.barh(rows, values, color=SKY, hatch="//", edgecolor=PAPER, height=0.72)
    for row, value in zip(rows, values, strict=True):
        ax.text(value + 0.01, float(row), f"{value:.2f}", va="center", size=FONT_SIZE, color=INK)
    ax.axvline(known.chance, color=ORANGE, linestyle="--", linewidth=2)
    ax.set_yticks(rows, list(known.values))
    ax.invert_yaxis()
    ax.set(xlim=(0, 1.08), xlabel=f"{known.measure} (dashed: {known.chance:.2f} knows nothing)")
    add_headline(ax).set_text(known.headline)
    told = ", ".join(f"{name} {value:.2f}" for name, value in known.values.items())
    return Plot(figure, f"{known.headline}. {known.measure}: {told}; chance {known.chance:.2f}.")


class MixedSenses(NamedTuple):
    """How often the nearest use has the right sense, word by word, in a mix of layers."""

    shares: np.ndarray  # (L + 1,)
    words: Sequence[str]
    rights: np.ndarray  # (words,)
    best_layer: np.ndarray  # (words,) in the best single layer


class MixedSensesDrawing:
    """A bar for each word, a mark where its best single layer is."""

    def __init__(self, words: int, chance: float, figure: Figure | None = None):
        self.figure, self.chance = figure or new_figure(height=3.8), chance
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.grid(False, axis="x")
        self.bars = ax.bar(range(words), np.zeros(words), color=SKY, hatch="//", edgecolor=PAPER,
                           label="in this mix")  # fmt: skip
        (self.marks,) = ax.plot([], [], "D", color=ORANGE, markersize=8,
                                label="best single layer")  # fmt: skip
        ax.axhline(chance, color=INK, linewidth=1)
        ax.set(ylim=(0, 1.25), ylabel="right senses")
        ax.set_yticks([0, 0.25, 0.5, 0.75, 1])
        add_legend(ax, loc="upper right", ncols=2)
        self.headline = add_headline(ax)
        self.named: Sequence[str] = ()
        self.moving = (*self.bars, self.marks, self.headline)

    def show(self, data: MixedSenses) -> str:
        """Show one mix and say its mean."""
        if list(self.named) != list(data.words):
            self.ax.set_xticks(range(len(data.words)), data.words)
            self.named = data.words
        for bar, right in zip(self.bars, data.rights, strict=True):
            bar.set_height(right)
        self.marks.set_data(range(len(data.words)), data.best_layer)
        shares = " : ".join(f"{share:.0%}" for share in data.shares)
        self.headline.set_text(f"Mix {shares}: {data.rights.mean():.2f} right")
        worst = int(data.rights.argmin())
        return (
            f"With shares {shares} of the layers, letters first, the nearest use has the right "
            f"sense in {data.rights.mean():.2f} of all cases; chance is {self.chance:.2f}. "
            f"Hardest is {data.words[worst]} with {data.rights[worst]:.2f}."
        )
