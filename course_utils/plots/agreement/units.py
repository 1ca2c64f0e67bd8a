"""All units of a network from the strongest to the weakest, beside what luck finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from course_utils.numbers import number
from course_utils.plots.picture import Plot
from course_utils.plots.style import (
    FONT_SIZE,
    INK,
    add_headline,
    look,
    new_figure,
    style_axes,
)

NAMED = 3


class RankedUnits(NamedTuple):
    """One number per unit, and the largest that luck found among as many, many times."""

    headline: str
    measure: str
    values: np.ndarray  # (H,)
    luck: np.ndarray  # (times,) the best of H units when no unit knows anything
    low: float
    high: float


class RankedUnitsDrawing:
    """Units sorted by a measure; a band shows the best that luck would find among as many."""

    def __init__(self) -> None:
        self.figure = new_figure(height=3.6)
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.set_xlabel("units, from the strongest to the weakest")
        (self.dots,) = ax.plot([], [], "o", markersize=5, color=look("measured").colour)
        self.band = ax.axhspan(0, 0, color=look("bound").colour, alpha=0.25, linewidth=0)
        self.names = [
            ax.annotate(
                "", (0, 0), (5, 4), textcoords="offset points", va="bottom", size=FONT_SIZE - 1,
                color=INK,
            )
            for _ in range(NAMED)
        ]  # fmt: skip
        self.band_name = ax.annotate(
            "what luck finds", (1, 0), (-4, 3), xycoords=ax.get_yaxis_transform(),
            textcoords="offset points", ha="right", va="bottom", size=FONT_SIZE - 1,
            color=look("bound").ink,
        )  # fmt: skip
        self.headline = add_headline(ax)
        self.moving = (self.dots, self.band, *self.names, self.band_name, self.headline)

    def show(self, units: RankedUnits) -> str:
        """Show one ranking and say how many units luck does not explain."""
        order = np.argsort(-units.values, kind="stable")
        ranked = units.values[order]
        self.ax.set(xlim=(-1, len(ranked)), ylim=(units.low, units.high), ylabel=units.measure)
        self.dots.set_data(np.arange(len(ranked)), ranked)
        low, high = np.quantile(units.luck, (0.05, 0.95))
        self.band.set_y(low)
        self.band.set_height(high - low)
        self.band_name.xy = (1, high)
        shown = self._apart(ranked)
        for place, text in enumerate(self.names):
            text.set_text(f"unit {order[place]}" if place in shown else "")
            text.xy = (place, ranked[place])
        self.headline.set_text(units.headline)
        return ranking_in_words(units)

    def _apart(self, ranked: np.ndarray) -> list[int]:
        """Return the places whose names do not overlap."""
        bottom, top = self.ax.get_ylim()
        shown = [0]
        for place in range(1, min(NAMED, len(ranked))):
            if ranked[shown[-1]] - ranked[place] > 0.08 * (top - bottom):
                shown.append(place)
        return shown


def plot_units(units: RankedUnits) -> Plot:
    """Draw one ranking."""
    drawing = RankedUnitsDrawing()
    return Plot(drawing.figure, drawing.show(units))


def ranking_in_words(units: RankedUnits) -> str:
    """Return the strongest unit, and how many are above what luck finds."""
    best = int(units.values.argmax())
    limit = np.quantile(units.luck, 0.95)
    above = int((units.values > limit).sum())
    return (
        f"{units.headline}. Strongest is unit {best} with {number(units.values[best])}; "
        f"the best of {len(units.values)} by luck stays below {number(limit)} in 95 of 100 "
        f"searches; {above} units are above that."
    )


class VerbWeights(NamedTuple):
    """What one unit gives to the singular and to the plural forms of the same verbs."""

    unit: int
    singular: np.ndarray  # (verbs,)
    plural: np.ndarray  # (verbs,)
    verbs: Sequence[str]


def plot_verb_weights(weights: VerbWeights) -> Plot:
    """Draw a line for each verb, from its singular form's weight to its plural form's."""
    figure = new_figure(width=6.4, height=3.4)
    ax = style_axes(figure.add_subplot())
    for low, high in zip(weights.singular, weights.plural, strict=True):
        ax.plot([0, 1], [low, high], "o-", color=look("measured").colour, alpha=0.5, linewidth=1)
    ax.axhline(0, color=INK, linewidth=1)
    ax.set_xticks([0, 1], ["admires, greets, ...", "admire, greet, ..."])
    ax.set(xlim=(-0.4, 1.4), ylabel=f"weight from unit {weights.unit}")
    apart = int((weights.plural > weights.singular).sum())
    count = len(weights.verbs)
    side = "plural" if 2 * apart > count else "singular"
    most = max(apart, count - apart)
    words = (
        f"Unit {weights.unit} gives the {side} form of {most} of {count} verbs the larger weight: "
        f"mean {number(weights.singular.mean())} to singular forms, "
        f"{number(weights.plural.mean())} to plural ones."
    )
    ax.set_title(f"Unit {weights.unit} favours the {side}: {most} of {count} verbs", loc="left",
                 size=FONT_SIZE + 1, weight="bold", color=INK)  # fmt: skip
    return Plot(figure, words)
