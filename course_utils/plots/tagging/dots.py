"""Small multiples: every run a dot, their middle a bar, what needs no network a dashed line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from course_utils.numbers import number
from course_utils.plots.picture import Plot
from course_utils.plots.style import (
    BLUE,
    FAINT,
    FONT_SIZE,
    INK,
    ORANGE,
    PAPER,
    head_figure,
    new_figure,
    style_axes,
)

ROW, HEADS = 0.4, 1.65  # inches
MIDDLES: dict[str, Callable[[Sequence[float]], Any]] = {"mean": np.mean, "median": np.median}
LETTERS = FONT_SIZE + 1  # a wall shows tall pictures small
MARGIN, CROWDED = 0.17, 0.26  # of the span, to either side


class Panel(NamedTuple):
    """One measure: what every row's runs reached, and what is reached without a network."""

    title: str
    runs: Mapping[str, Sequence[float]]
    baseline: float | None = None
    baseline_name: str = "list of words"
    digits: int = 3
    least_wins: bool = False  # a perplexity


def plot_runs(
    headline: str, panels: Sequence[Panel], across: str = "accuracy", middle: str = "mean"
) -> Plot:
    """Draw the panels beside each other; in each the best row is blue, the others are grey.

    `middle` says what the bar and the number of several runs are: their mean or their median.
    """
    rows = [*panels[0].runs]
    figure = new_figure(width=8.2, height=HEADS + ROW * len(rows))
    axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for ax, panel in zip(axes, panels, strict=True):
        _draw(style_axes(ax), panel, rows, middles_of(panel, middle), crowded=len(panels) > 2)
    axes[0].set_yticks(range(len(rows)), rows, size=LETTERS)
    axes[0].set_ylim(len(rows) - 0.4, -0.6)
    several = any(len(values) > 1 for panel in panels for values in panel.runs.values())
    dashed = sorted({panel.baseline_name for panel in panels if panel.baseline is not None})
    marks = [f"bar: {middle}"] * several + [f"dashed: {name}" for name in dashed]
    figure.supxlabel("; ".join([across, *marks]), size=LETTERS, color=INK)
    head_figure(figure, headline)
    told = " ".join(panel_in_words(panel, middle) for panel in panels)
    return Plot(figure, f"{headline}. {told}")


def middles_of(panel: Panel, middle: str) -> dict[str, float]:
    """Return the mean or the median of every row's runs."""
    return {name: float(MIDDLES[middle](values)) for name, values in panel.runs.items()}


def _draw(
    ax: Axes, panel: Panel, rows: Sequence[str], middles: Mapping[str, float], crowded: bool
) -> None:
    best = (min if panel.least_wins else max)(middles.values())
    for name, values in panel.runs.items():
        row, typical = rows.index(name), middles[name]
        colour = BLUE if typical == best else FAINT
        ax.plot([min(values), max(values)], [row, row], color=colour, linewidth=2)
        if len(values) == 1:
            ax.plot(values, [row], "o", color=colour, markersize=11)
        else:
            ax.plot(values, [row] * len(values), "o", color=colour, markersize=7, alpha=0.55)
            ax.plot([typical], [row], "|", color=INK, markersize=17, markeredgewidth=2.5)
        said = number(typical) if typical in (0, 1) else _said(typical, panel.digits)
        ax.annotate(
            said, (typical, row), (0, 10), textcoords="offset points", ha="center",
            size=LETTERS, color=INK, weight="bold" if typical == best else "normal",
            bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.5},  # no line through a number
        )  # fmt: skip
    if panel.baseline is not None:
        ax.axvline(panel.baseline, color=ORANGE, linestyle="--", linewidth=2)
    shown = [value for values in panel.runs.values() for value in values]
    shown += [] if panel.baseline is None else [panel.baseline]
    room = (CROWDED if crowded else MARGIN) * (max(shown) - min(shown) or 1)
    ax.set_xlim(min(shown) - room, max(shown) + room)
    ax.locator_params(axis="x", nbins=2 if crowded else 3)
    ticks = [tick for tick in ax.get_xticks() if min(shown) - room <= tick <= max(shown) + room]
    if crowded and len(ticks) > 2:  # three numbers would touch
        ax.set_xticks([ticks[0], ticks[-1]])
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}".replace("-", "−")))
    ax.tick_params(labelsize=LETTERS)
    if panel.title:
        ax.set_title(panel.title, size=FONT_SIZE if crowded else LETTERS, color=INK)


def _said(value: float, digits: int) -> str:
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")  # and never −0.00


def panel_in_words(panel: Panel, middle: str = "mean") -> str:
    """Return every row's mean or median with its lowest and highest run, and the baseline."""
    middles = middles_of(panel, middle)
    told = "; ".join(
        f"{name} {number(middles[name], 3)}"
        + (f" ({number(min(values), 3)} to {number(max(values), 3)})" if len(values) > 1 else "")
        for name, values in panel.runs.items()
    )
    dashed = ""
    if panel.baseline is not None:
        dashed = f"; dashed, {panel.baseline_name} {number(panel.baseline, 3)}"
    return f"{panel.title or middle.capitalize() + 's'}: {told}{dashed}."
