"""Where the ten seeds of several networks end on several tasks: a dot a seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.plots.gru.race import SOLVED
from course_utils.plots.picture import Plot
from course_utils.plots.style import (
    FAINT,
    FONT_SIZE,
    INK,
    PAPER,
    head_figure,
    look,
    new_figure,
    style_axes,
)

LOWEST = -0.2  # what is worse than a guess stands at the edge
SPREAD = 0.3  # of a row to either side, so that equal dots are seen to be several


def plot_ends(
    headline: str, tasks: Sequence[str], ends: Mapping[str, Sequence[Sequence[float] | None]]
) -> Plot:
    """Draw every seed from guessing, 0, to perfect, 1, and count those that are nearly perfect.

    `ends` holds for every network one list a task, or None where it never ran.
    """
    figure = new_figure(height=0.42 * len(ends) + 1.5)
    panels = figure.subplots(1, len(tasks), sharey=True, squeeze=False)[0]
    right = 1.15 + 0.35 * len(tasks)  # room for the count
    for column, (ax, task) in enumerate(zip(map(style_axes, panels), tasks, strict=True)):
        ax.set(xlim=(LOWEST - 0.05, right), ylim=(len(ends) - 0.4, -0.6), title=task)
        ax.set_xticks([0, 1], ["guess", "perfect"])
        ax.tick_params(length=0)
        ax.grid(visible=False, axis="y")
        ax.axvspan(SOLVED, 1.05, color=FAINT, alpha=0.35, lw=0)
        for row, every in enumerate(ends.values()):
            if (own := every[column]) is None:
                ax.text(0.5, row, "not run", ha="center", va="center", color=INK, size=FONT_SIZE)
                continue
            ways = np.sort(np.clip(own, LOWEST, None))
            heights = row + np.linspace(SPREAD, -SPREAD, len(ways))
            ax.scatter(ways, heights, s=26, color=look("measured").colour, edgecolors=PAPER,
                       linewidths=0.4, zorder=3)  # fmt: skip
            ax.text(right - 0.04, row, f"{solved(own)} of {len(own)}", ha="right", va="center",
                    color=INK, size=FONT_SIZE, weight="bold")  # fmt: skip
    panels[0].set_yticks(range(len(ends)), list(ends))
    head_figure(figure, headline)
    return Plot(figure, ends_in_words(tasks, ends))


def solved(ways: Sequence[float]) -> int:
    """Return how many seeds are nearly perfect."""
    return sum(way > SOLVED for way in ways)


def ends_in_words(
    tasks: Sequence[str], ends: Mapping[str, Sequence[Sequence[float] | None]]
) -> str:
    """Return on how many seeds every network solves each task."""
    told = []
    for name, every in ends.items():
        counts = ["not run" if own is None else f"{solved(own)} of {len(own)}" for own in every]
        told.append(f"{name} {', '.join(counts)}")
    return f"Seeds that learn {', '.join(tasks)}: {'; '.join(told)}."
