"""Bars: what is left of an error, and what spaces and layers know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from course_utils.plots.amounts import plot_amounts
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
    head_figure,
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
    ax = new_axes(height=1.2 + 0.42 * len(rows))
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
    most, least = int(np.argmax(errors.reductions)), int(np.argmin(errors.reductions))
    headline = (
        f"ELMo takes most off {errors.names[most]}'s error, least off {errors.names[least]}'s"
    )
    head_figure(figure_of(ax), headline)
    words = "; ".join(
        f"{name} from {before:.1f} to {after:.1f}, {gone:.1f}% less"
        for name, before, after, gone in zip(*errors, strict=True)
    )
    return Plot(figure_of(ax), f"{headline}. Errors without and with ELMo: {words}.")


class Known(NamedTuple):
    """How much each space knows, and what is known without it."""

    headline: str
    measure: str
    values: Mapping[str, float]
    chance: float | None = None  # nobody could guess it


def plot_known(known: Known) -> Plot:
    """Draw one bar per space, the level of chance across where there is one."""
    dashed = f" (dashed: {known.chance:.2f} knows nothing)" if known.chance is not None else ""
    return plot_amounts(
        known.headline, f"{known.measure}{dashed}", known.values,
        said=lambda value: f"{value:.2f}" if value else "0", level=known.chance, whole=1.08,
    )  # fmt: skip


class MixedSenses(NamedTuple):
    """How often the nearest use has the right sense, word by word, in a mix of layers."""

    shares: np.ndarray  # (L + 1,)
    words: Sequence[str]
    rights: np.ndarray  # (words,)
    layers: np.ndarray  # (L + 1, words) in each layer alone
    even: bool = False  # every weight is 0, which shares equally


class MixedSensesDrawing:
    """A bar for each word, and a mark for each single layer, to see which of them it follows."""

    MARKS = (("letters", "v", INK), ("first LSTM", "D", ORANGE), ("second LSTM", "o", BLUE))

    def __init__(self, words: int, chance: float):
        self.figure, self.chance = new_figure(height=3.8), chance
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.grid(False, axis="x")
        self.bars = ax.bar(range(words), np.zeros(words), color=SKY, hatch="//", edgecolor=PAPER,
                           label="in this mix")  # fmt: skip
        self.marks = [ax.plot([], [], mark, color=colour, markersize=7, label=f"{name} alone")[0]
                      for name, mark, colour in self.MARKS]  # fmt: skip
        ax.axhline(chance, color=INK, linewidth=1)
        ax.set(ylim=(0, 1.05), ylabel="right senses")
        ax.set_yticks([0, 0.25, 0.5, 0.75, 1])
        add_legend(ax, loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=4)
        self.headline = add_headline(ax)
        self.named: Sequence[str] = ()
        self.moving = (*self.bars, *self.marks, self.headline)

    def show(self, data: MixedSenses) -> str:
        """Show one mix and say its mean."""
        if list(self.named) != list(data.words):
            self.ax.set_xticks(range(len(data.words)), data.words, rotation=25)
            self.named = data.words
        for bar, right in zip(self.bars, data.rights, strict=True):
            bar.set_height(right)
        for n, (mark, alone) in enumerate(zip(self.marks, data.layers, strict=True)):
            mark.set_data(np.arange(len(data.words)) + 0.22 * (n - 1), alone)
        headline = mix_headline(data)
        self.headline.set_text(headline)
        shares = ", ".join(
            f"{share:.0%} {name}" for share, (name, *_) in zip(data.shares, self.MARKS, strict=True)
        )
        even = "All weights are 0, which shares equally. " if data.even else ""
        worst = int(data.rights.argmin())
        return (
            f"{headline}. {even}The mix is {shares}; chance would find {100 * self.chance:.0f}. "
            f"Hardest is {data.words[worst]}, with {100 * data.rights[worst]:.0f} of 100."
        )


def mix_headline(data: MixedSenses) -> str:
    """Return what a mix finds, beside the best single layer."""
    alone = data.layers.mean(axis=1)
    best = int(alone.argmax())
    mixed = f"This mix finds {100 * data.rights.mean():.1f} of 100 senses"
    return f"{mixed}, {MixedSensesDrawing.MARKS[best][0]} alone {100 * alone[best]:.1f}"
