"""How far seeds and formats count, what cells add, where a state goes that reads one letter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.ticker import FuncFormatter
from matplotlib.transforms import blended_transform_factory

from course_utils.numbers import number
from course_utils.plots.picture import Plot
from course_utils.plots.style import (
    FAINT,
    FONT_SIZE,
    INK,
    PAPER,
    add_headline,
    add_legend,
    head_figure,
    look,
    new_figure,
    style_axes,
)

SPREAD = 0.28  # how far seeds of one arm stand apart, so that equal ones are seen


def plot_arms(arms: Mapping[str, Sequence[int]], trained: int, most: int, headline: str) -> Plot:
    """Draw a dot a seed and a bar at the median; `most` is the largest n that was tried."""
    figure = new_figure(height=0.9 + 0.55 * len(arms))
    ax = style_axes(figure.add_subplot())
    ax.set_xscale("log")
    ax.axvline(trained, color=INK, linestyle=":", linewidth=1.5)
    ax.text(trained, -0.72, f"trained to {trained}", size=FONT_SIZE - 1, color=INK, ha="center",
            bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.5})  # fmt: skip
    for row, reached in enumerate(arms.values()):
        shown = np.maximum(reached, 1)
        heights = row + np.linspace(-SPREAD, SPREAD, len(shown))
        ax.plot(shown, heights, "o", color=look("c").colour, markersize=7, alpha=0.75)
        middle = max(1, float(np.median(reached)))
        ax.plot([middle] * 2, [row - 0.4, row + 0.4], color=look("bound").colour, linewidth=3)
    ax.set(ylim=(len(arms) - 0.4, -0.95), xlim=(0.9, 1.25 * most), xlabel="right up to n")
    ax.set_yticks(range(len(arms)), list(arms))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"{n:,.0f}"))
    line = add_headline(ax)  # from the picture's left edge: the names of arms are long
    line.set_transform(blended_transform_factory(figure.transFigure, ax.transAxes))
    line.set(text=headline, x=0.01)
    said = "; ".join(
        f"{name}: {min(reached)} to {max(reached)}, median {number(float(np.median(reached)), 3)}"
        for name, reached in arms.items()
    )
    return Plot(figure, f"{headline}. Right up to n, seed by seed, trained to {trained}: {said}.")


def plot_settling(moves: Mapping[str, np.ndarray], headline: str) -> Plot:
    """Draw on a logarithmic axis how far a state moves at each further letter."""
    figure = new_figure()
    ax = style_axes(figure.add_subplot())
    ax.set_yscale("log")
    for (name, moved), style in zip(moves.items(), ("c", "f"), strict=True):
        steps = np.arange(1, len(moved) + 1)
        ax.plot(steps, np.maximum(moved, 1e-9), label=name, **look(style).line_style())
    ax.set(xlabel="a's read", ylabel="length of the state's move")
    add_headline(ax).set_text(headline)
    add_legend(ax)
    said = ", ".join(
        f"{name} {number(float(moved[0]), 2)} at the first a and {number(float(moved[-1]), 2)} at "
        f"number {len(moved)}"
        for name, moved in moves.items()
    )
    return Plot(figure, f"{headline}. The state moves by: {said}.")


class Slopes(NamedTuple):
    """What one cell adds for an a and for a b, whether that makes straight lines, and matters."""

    for_a: float
    for_b: float
    straight: bool
    needed: bool


def plot_slopes(cells: Mapping[str, Slopes], headline: str) -> Plot:
    """Draw each cell at what it adds for an a and for a b; those that are needed are named."""
    figure = new_figure(height=3.9)
    ax = style_axes(figure.add_subplot())
    ax.axline((0, 0), slope=-1, color=INK, linestyle=":", linewidth=1.5)
    counting, needed = look("c").colour, look("bound").colour
    for name, cell in cells.items():
        ax.plot(
            [cell.for_a], [cell.for_b], "D" if cell.needed else "o",
            markersize=13 if cell.needed else 10, markeredgewidth=2,
            markeredgecolor=needed if cell.needed else counting if cell.straight else FAINT,
            markerfacecolor=needed if cell.needed else counting if cell.straight else "none",
        )  # fmt: skip
        if cell.needed:
            ax.annotate(
                f"{name}: needed", (cell.for_a, cell.for_b), (-14, 12), textcoords="offset points",
                ha="right", size=FONT_SIZE, color=INK,
            )  # fmt: skip
    together = Counter((round(cell.for_a, 1), round(cell.for_b, 1)) for cell in cells.values())
    for (for_a, for_b), count in together.items():
        if count > 1:
            ax.annotate(
                f"{count} cells", (for_a, for_b), (0, -22), textcoords="offset points",
                ha="center", size=FONT_SIZE, color=INK,
            )  # fmt: skip
    ax.set(
        xlabel="added for an a (dotted: a b takes it away; hollow: no straight line)",
        ylabel="added for a b", xlim=(-1.25, 1.25), ylim=(-1.45, 1.25),
    )  # fmt: skip
    add_headline(ax).set_text(headline)
    return Plot(figure, f"{headline}. Added for an a and for a b: {_slopes_in_words(cells)}.")


def _slopes_in_words(cells: Mapping[str, Slopes]) -> str:
    told = []
    for name, (for_a, for_b, straight, needed) in cells.items():
        said = f"{name} {for_a:+.2f} and {for_b:+.2f}".replace("-", "−")
        told.append(said + ("" if straight else ", no line") + (", needed" if needed else ""))
    return "; ".join(told)


class Walls(NamedTuple):
    """Where a counter should stop in each format, and where it did."""

    network: str
    predicted: Mapping[str, int]
    measured: Mapping[str, int]


def plot_walls(walls: Sequence[Walls], headline: str) -> Plot:
    """Draw a panel a network, a row a format: a ring where theory ends, a dot where it ended."""
    names = list(walls[0].predicted)
    figure = new_figure(height=1.5 + 0.5 * len(names))
    axes = figure.subplots(1, len(walls), sharey=True, squeeze=False)[0]
    for ax, (network, predicted, measured) in zip(axes, walls, strict=True):
        style_axes(ax).set_xscale("log")
        rows = range(len(names))
        ax.plot([*measured.values()], rows, "o", color=look("c").colour, markersize=8)
        ax.plot(
            [*predicted.values()], rows, "o", markersize=17, markerfacecolor="none",
            markeredgecolor=look("bound").colour, markeredgewidth=2,
        )  # fmt: skip
        for row, n in zip(rows, measured.values(), strict=True):
            ax.annotate(
                number(n, 4), (n, row), (14, 0), textcoords="offset points", va="center",
                size=FONT_SIZE - 1, color=INK,
            )  # fmt: skip
        low, high = np.log10([min(measured.values()), max(measured.values())])
        span = high - low or 1.0
        ax.set_xlim(10 ** (low - 0.12 * span), 10 ** (high + 0.55 * span))
        ax.set_title(network, size=FONT_SIZE, color=INK)
    axes[0].set_yticks(range(len(names)), names)
    axes[0].set_ylim(len(names) - 0.5, -0.5)
    figure.supxlabel("last n; ring: predicted, dot: measured", size=FONT_SIZE, color=INK)
    head_figure(figure, headline)
    said = "; ".join(
        f"{network}: "
        + ", ".join(f"{name} {predicted[name]} and {measured[name]}" for name in names)
        for network, predicted, measured in walls
    )
    return Plot(figure, f"{headline}. Predicted and measured: {said}.")
