"""Shares of right answers: a table whose colours say where a model fails, dots with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from course_utils.numbers import number, share
from course_utils.plots.picture import Plot
from course_utils.plots.style import (
    BLUE,
    FONT_SIZE,
    INK,
    NETWORKS,
    ORANGE,
    PAPER,
    SEQUENCE,
    add_headline,
    head_figure,
    new_figure,
    style_axes,
)

# cells pale enough for black letters on all of them, also on a dark page, which inverts the
# picture: with two inks, no share in the middle would have enough contrast with either
LETTERS, DEPTH = "#000000", 0.55


class RateTable(NamedTuple):
    """What is asked (rows), of whom or in which condition (columns), and how often it is right."""

    headline: str
    rows: Sequence[str]
    columns: Sequence[str]
    values: np.ndarray  # (rows, columns); NaN where nothing was asked
    before: np.ndarray | None = None  # the same without the intervention


class RateTableDrawing:
    """A table of rates, with as many rows and columns as it is first asked for."""

    def __init__(self, rows: int, columns: int, digits: int = 2):
        self.digits = digits  # where many rates are close to 1, two would make them all 1.00
        self.figure = new_figure(width=8.0, height=0.8 + 0.3 * rows)
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.grid(False)
        ax.tick_params(length=0)
        ax.xaxis.tick_bottom()
        for spine in ax.spines.values():
            spine.set_visible(False)
        self.image = ax.imshow(
            np.zeros((rows, columns)),
            cmap=SEQUENCE,
            interpolation="none",
            alpha=DEPTH,
            vmin=0,
            vmax=1.25,
            aspect="auto",
        )
        places = np.ndindex(rows, columns)
        self.texts = {
            (row, column): ax.text(
                column, row, "", ha="center", va="center", size=FONT_SIZE, color=LETTERS
            )
            for row, column in places
        }
        self.headline = add_headline(ax)
        self.named: tuple[Sequence[str], Sequence[str]] = ((), ())
        self.moving = (self.image, *self.texts.values(), self.headline)

    def show(self, table: RateTable) -> str:
        """Show one table and say its lowest row and column."""
        if self.named != (table.rows, table.columns):  # labels that stay need no new layout
            self.ax.set_xticks(range(len(table.columns)), list(map(_named, table.columns)))
            self.ax.set_yticks(range(len(table.rows)), table.rows)
            self.named = (table.rows, table.columns)
        self.image.set_data(np.ma.masked_invalid(table.values))
        for (row, column), text in self.texts.items():
            value = table.values[row, column]
            text.set_text("" if np.isnan(value) else self._cell(table, row, column))
        self.headline.set_text(table.headline)
        return rates_in_words(table)

    def _cell(self, table: RateTable, row: int, column: int) -> str:
        value = table.values[row, column]
        before = value if table.before is None else table.before[row, column]
        if abs(value - before) < 0.5 * 10**-self.digits:
            return f"{value:.{self.digits}f}"
        return f"{before:.{self.digits}f} → {value:.{self.digits}f}"


def plot_rates(table: RateTable) -> Plot:
    """Draw one table."""
    drawing = RateTableDrawing(len(table.rows), len(table.columns))
    return Plot(drawing.figure, drawing.show(table))


def rates_in_words(table: RateTable) -> str:
    """Return every column's mean, and where the lowest rate is."""
    means = np.nanmean(table.values, axis=0)
    said = "; ".join(
        f"{_named(name)} {share(mean)}" for name, mean in zip(table.columns, means, strict=True)
    )
    row, column = map(int, np.unravel_index(np.nanargmin(table.values), table.values.shape))
    least = f"{table.rows[row]}, {_named(table.columns[column])}"
    words = f"{table.headline}. Right on average: {said}. "
    lowest = table.values[row, column]
    words += (
        "All are right." if lowest > 0.9995 else f"The lowest, {number(lowest)}, is for {least}."
    )
    if table.before is not None:
        fall = np.nan_to_num(table.before - table.values)
        row, column = map(int, np.unravel_index(fall.argmax(), fall.shape))
        where = f"{table.rows[row]}, {_named(table.columns[column])}"
        if fall[row, column] > 0.0005:
            there = "there, too" if where == least else f"for {where}"
            words += f" The largest fall, by {number(fall[row, column])}, is {there}."
    return words


class Interval(Protocol):
    """A share of right answers, and how far chance may have moved it."""

    @property
    def value(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


def plot_intervals(
    headline: str, groups: Mapping[str, Mapping[str, Interval]], across: str = "right"
) -> Plot:
    """Draw a panel a group, a row a name: the share, its 95% interval, and guessing dashed."""
    rows = list(dict.fromkeys(name for group in groups.values() for name in group))
    figure = new_figure(width=8.2, height=1.55 + 0.4 * len(rows))
    axes = figure.subplots(1, len(groups), sharey=True, squeeze=False)[0]
    for ax, (title, group) in zip(axes, groups.items(), strict=True):
        style_axes(ax).axvline(0.5, color=ORANGE, linestyle="--", linewidth=2)
        for name, rate in group.items():
            row = rows.index(name)
            ax.plot([rate.low, rate.high], [row, row], color=BLUE, linewidth=4, alpha=0.5)
            ax.plot([rate.value], [row], "o", color=BLUE, markersize=9)
            ax.annotate(
                f"{rate.value:.2f}", (rate.value, row), (0, 8), textcoords="offset points",
                ha="center", size=FONT_SIZE, color=INK,
                bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.5},  # over the dashed line
            )  # fmt: skip
        ax.set(xlim=(-0.05, 1.08), title=title)
        ax.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    axes[0].set_yticks(range(len(rows)), list(map(_named, rows)))
    axes[0].set_ylim(len(rows) - 0.4, -0.7)
    figure.supxlabel(f"{across}, with its 95% interval; dashed: a guess", size=FONT_SIZE, color=INK)
    head_figure(figure, headline)
    said = " ".join(_intervals_in_words(title, group) for title, group in groups.items())
    return Plot(figure, f"{headline}. {said}")


def _intervals_in_words(title: str, group: Mapping[str, Interval]) -> str:
    told = "; ".join(
        f"{_named(name)} {rate.value:.2f} ({rate.low:.2f} to {rate.high:.2f})"
        for name, rate in group.items()
    )
    return f"{title}: {told}." if title else f"{told}."


def _named(name: str) -> str:
    return NETWORKS.get(name, name)
