"""Several networks learn several tasks: a panel a network and task, a line a seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patheffects import withStroke

from course_utils.numbers import number
from course_utils.plots.end_labels import EndLabels
from course_utils.plots.picture import Plot, figure_of
from course_utils.plots.style import (
    FAINT,
    FONT_SIZE,
    INK,
    NETWORKS,
    PAPER,
    look,
    new_axes,
    new_figure,
    style_axes,
)

TOPS = {"accuracy": 1.0, "error": 0.25}
PERFECT = {"accuracy": 1.0, "error": 0.0}
SOLVED = 0.9  # of the way from guessing to perfect
LOWEST = -0.25  # a run that is worse than a guess leaves the panel below
NAMES = {**NETWORKS, "reference": "guessing"}


class RaceScores(NamedTuple):
    """One task: the scores of every seed on its way, {name: (seeds, N)}, the networks' widths."""

    task: str
    steps: np.ndarray  # (N,)
    scores: Mapping[str, np.ndarray]
    widths: Mapping[str, int]
    chance: float
    unit: str

    def way(self, network: str) -> np.ndarray:
        """Return how far from guessing, 0, to perfect, 1, every seed has come: (seeds, N)."""
        return (self.scores[network] - self.chance) / (PERFECT[self.unit] - self.chance)

    def solved(self, network: str) -> np.ndarray:
        """Return which seeds end nearly perfect: (seeds,)."""
        return self.way(network)[:, -1] > SOLVED


class RaceDrawing:
    """A row a network, a column a task: dark lines are its seeds, pale ones the others' medians.

    Every panel runs from guessing to perfect, so that accuracies and errors can be compared.
    """

    def __init__(self, tasks: int, figure: Figure | None = None):
        self.figure = figure or new_figure(height=4.4)
        self.axes = self.figure.subplots(len(NETWORKS), tasks, sharey=True, squeeze=False)
        layout = self.figure.get_layout_engine()
        assert isinstance(layout, ConstrainedLayoutEngine)
        layout.set(w_pad=0.03, h_pad=0.04, wspace=0.02, hspace=0.02)
        self.panels = {
            network: [_Panel(ax) for ax in row]
            for network, row in zip(NETWORKS, self.axes, strict=True)
        }
        for label, row in zip(NETWORKS.values(), self.axes, strict=True):
            row[0].set_yticks([0, 1], ["guess", "perfect"])
            row[0].set_ylabel(label, weight="bold")
        self.figure.suptitle("A", alpha=0, fontsize=FONT_SIZE + 5)  # keeps the room
        self.headline = self.axes[0, 0].text(
            0.012, 0.985, "", transform=self.figure.transFigure, size=FONT_SIZE + 1,
            weight="bold", color=INK, va="top", in_layout=False,
        )  # fmt: skip
        panels = [panel for row in self.panels.values() for panel in row]
        self.moving = (*(part for panel in panels for part in panel.moving), self.headline)

    def show(self, races: Sequence[RaceScores]) -> str:
        """Show every race and say who solves which task on how many seeds."""
        for top, bottom, race in zip(self.axes[0], self.axes[-1], races, strict=True):
            top.set_title(race.task.replace("over ", "over\n").replace("after ", "after\n"))
            bottom.set_xlabel(f"{race.steps[-1]:,} steps")
        for network, row in self.panels.items():
            others = [name for name in NETWORKS if name != network]
            for panel, race in zip(row, races, strict=True):
                panel.show(race, network, others)
        self.headline.set_text(verdict(races))
        return races_in_words(races)


class _Panel:
    """One network on one task."""

    def __init__(self, ax: Axes):
        self.ax = style_axes(ax)
        ax.set(xticks=[], ylim=(LOWEST, 1.12))
        ax.tick_params(length=0)
        self.others = LineCollection([], color=FAINT, linewidth=1.2)
        self.own = LineCollection([], color=INK, linewidth=1.8)
        for lines in (self.others, self.own):
            ax.add_collection(lines, autolim=False)
        self.count = ax.text(
            0, 0, "", transform=ax.transAxes, size=FONT_SIZE - 1, color=INK, in_layout=False,
            path_effects=[withStroke(linewidth=4, foreground=PAPER)],
        )  # fmt: skip
        self.moving = (self.others, self.own, self.count)

    def show(self, race: RaceScores, network: str, others: Sequence[str]) -> None:
        """Show one network's seeds before the medians of the others, and count who solves it."""
        self.ax.set_xlim(0, race.steps[-1])
        medians = [np.median(race.way(name), axis=0) for name in others]
        self.others.set_segments([np.column_stack([race.steps, way]) for way in medians])
        own = race.way(network)
        self.own.set_segments([np.column_stack([race.steps, way]) for way in own])
        solved = race.solved(network)
        self.count.set_text(f"{solved.sum()} of {len(solved)}")
        # what rises leaves the lower right corner free, what stays down the upper left one
        low = own[:, -1].min() > 0.5
        x, y, side, base = (0.97, 0.26, "right", "bottom") if low else (0.05, 0.92, "left", "top")
        self.count.set(position=(x, y), ha=side, va=base)


def verdict(races: Sequence[RaceScores]) -> str:
    """Return how many of the tasks each network solves on every seed."""
    sure = {name: sum(bool(race.solved(name).all()) for race in races) for name in NETWORKS}
    said = ", ".join(f"{label} {sure[name]}" for name, label in NETWORKS.items())
    return f"Of {len(races)} tasks solved on every seed: {said}"


def races_in_words(races: Sequence[RaceScores]) -> str:
    """Return on how many seeds each network solves each task."""
    told = []
    for race in races:
        counts = [int(race.solved(name).sum()) for name in NETWORKS]
        told.append(f"{race.task} {', '.join(map(str, counts))}")
    seeds = len(next(iter(races[0].scores.values())))
    return f"Of {seeds} seeds of {', '.join(NETWORKS.values())} solve {'; '.join(told)}."


def plot_learning(
    steps: Sequence[int], scores: Mapping[str, Sequence[float]], chance: float, unit: str
) -> Plot:
    """Draw single runs, each under a network's name."""
    ax = new_axes(height=3.0)
    ax.set(xlabel="training steps", ylabel=unit, xlim=(0, steps[-1]), ylim=(0, TOPS[unit]))
    for name, values in scores.items():
        ax.plot(steps, values, clip_on=max(values) > TOPS[unit], **look(name).line_style())
    ax.axhline(chance, **look("reference").line_style())
    shown = {name: label for name, label in NAMES.items() if name in {*scores, "reference"}}
    names = EndLabels(ax, shown, {name: look(name).ink for name in shown})
    names.show({"reference": chance, **{name: values[-1] for name, values in scores.items()}})
    runs = ((NETWORKS[name], run[-1]) for name, run in scores.items())
    ends = "; ".join(f"{label} ends at {number(end, 3)}" for label, end in runs)
    return Plot(figure_of(ax), f"The {unit} over {steps[-1]} training steps: {ends}.")
