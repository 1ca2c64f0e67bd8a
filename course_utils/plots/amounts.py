"""Bars from zero with their numbers, or dots where the numbers are powers of ten apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np
from matplotlib.ticker import FuncFormatter, MaxNLocator

from course_utils.numbers import number
from course_utils.plots.picture import Plot
from course_utils.plots.style import (
    BLUE,
    FAINT,
    FONT_SIZE,
    INK,
    ORANGE,
    PAPER,
    SKY,
    head_figure,
    new_figure,
    style_axes,
)

ROW, HEADS = 0.36, 1.4  # inches
ROOM = 1.15  # of the largest number, for what is written behind its bar


def plot_amounts(
    headline: str,
    measure: str,
    values: Mapping[str, float],
    said: Callable[[float], str] = number,
    best: Callable[[Iterable[float]], float] | None = None,
    level: float | None = None,
    whole: float | None = None,
) -> Plot:
    """Draw one bar a name; the best, by min or max, is blue, `level` dashed, `whole` fits in."""
    shown = {name: float(value) for name, value in values.items()}
    winner = best(shown.values()) if best else None
    rows = np.arange(len(shown))
    figure = new_figure(height=HEADS + ROW * len(rows))
    ax = style_axes(figure.add_subplot())
    ax.grid(False, axis="y")
    for row, value in enumerate(shown.values()):
        colour = SKY if winner is None else BLUE if value == winner else FAINT
        ax.barh(row, value, color=colour, hatch="//", edgecolor=PAPER, height=0.72)
        ax.annotate(
            said(value), (value, row), (6, 0), textcoords="offset points", va="center",
            size=FONT_SIZE, color=INK, weight="bold" if value == winner else "normal",
        )  # fmt: skip
    if level is not None:
        ax.axvline(level, color=ORANGE, linestyle="--", linewidth=2)
    counted = all(value.is_integer() for value in shown.values())
    in_percent = said(0.5).endswith("%")
    ax.xaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 2.5, 5, 10], integer=counted))
    ax.xaxis.set_major_formatter(
        FuncFormatter(lambda x, _: f"{x:.0%}" if in_percent else f"{x:,g}")
    )
    ax.set_yticks(rows, [*shown])
    ax.invert_yaxis()
    ax.set(xlim=(0, max(whole or 0, ROOM * max(shown.values()))), xlabel=measure)
    head_figure(figure, headline)
    return Plot(figure, _in_words(headline, measure, shown, said))


def plot_powers(
    headline: str, measure: str, values: Mapping[str, float], said: Callable[[float], str] = number
) -> Plot:
    """Draw one dot a name on an axis of powers of ten, where a bar has no zero to start at."""
    shown = {name: float(value) for name, value in values.items()}
    figure = new_figure(height=HEADS + ROW * len(shown))
    ax = style_axes(figure.add_subplot())
    for row, value in enumerate(shown.values()):
        ax.plot([value], [row], "o", color=BLUE, markersize=11)
        ax.annotate(
            said(value), (value, row), (10, 0), textcoords="offset points", va="center",
            size=FONT_SIZE, color=INK,
        )  # fmt: skip
    ax.set_yticks(range(len(shown)), [*shown])
    ax.set_ylim(len(shown) - 0.5, -0.5)
    low, high = np.log10([min(shown.values()), max(shown.values())])
    room = 0.05 * (high - low or 1)
    ax.set(xscale="log", xlim=(10 ** (low - room), 10 ** (high + 4 * room)), xlabel=measure)
    head_figure(figure, headline)
    return Plot(figure, _in_words(headline, measure, shown, said))


def _in_words(
    headline: str, measure: str, shown: Mapping[str, float], said: Callable[[float], str]
) -> str:
    told = ", ".join(f"{name} {said(value)}" for name, value in shown.items())
    return f"{headline}. {measure}: {told}."
