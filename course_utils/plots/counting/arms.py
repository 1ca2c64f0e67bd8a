"""How far the seeds of several arms count, and where a state goes that reads one letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.ticker import FuncFormatter
from matplotlib.transforms import blended_transform_factory

from course_utils.numbers import number
from course_utils.plots.picture import Plot
from course_utils.plots.style import (
    FONT_SIZE,
    INK,
    add_headline,
    add_legend,
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
    ax.text(trained, -0.72, f"trained to {trained}", size=FONT_SIZE - 1, color=INK, ha="center")
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
