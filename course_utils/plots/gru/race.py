"""Several networks learn several tasks: a panel per network and task, a line per seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Text

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
SOLVED = 0.9  # of the way from guessing to perfect
LOWEST = -0.25  # a run that is worse than a guess drops out of the panel
NAMES = {**NETWORKS, "reference": "guessing"}


class Lane(NamedTuple):
    """One network on one task: every seed's way from guessing, 0, to perfect, 1, as it learns."""

    steps: np.ndarray  # (N,)
    ways: np.ndarray  # (seeds, N)
    ends: np.ndarray  # (seeds,) what was measured in the end
    rates: Sequence[float]  # one a seed

    @property
    def solved(self) -> int:
        """Return how many seeds end nearly perfect."""
        return int((self.ways[:, -1] > SOLVED).sum())


class RaceScores(NamedTuple):
    """One task: the lane of every network that ran, and how many updates the picture shows."""

    task: str
    lanes: Mapping[str, Lane]
    updates: int


class RaceDrawing:
    """A row per network, a column per task: dark lines are seeds, pale ones the others' medians.

    Every panel runs from guessing to perfect, so that accuracies and errors can be compared.
    """

    def __init__(self, tasks: int):
        self.figure = new_figure(height=4.0)
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
        self.budgets = [_below(ax) for ax in self.axes[-1]]
        panels = [panel for row in self.panels.values() for panel in row]
        parts = (part for panel in panels for part in panel.moving)
        self.moving = (*parts, self.headline, *self.budgets)

    def show(self, races: Sequence[RaceScores]) -> str:
        """Show every race and say who solves which task on how many seeds."""
        for top, budget, race in zip(self.axes[0], self.budgets, races, strict=True):
            top.set_title(race.task.replace("over ", "over\n").replace("after ", "after\n"))
            budget.set_text(f"{race.updates:,} updates")
        for network, row in self.panels.items():
            for panel, race in zip(row, races, strict=True):
                panel.show(race, network)
        self.headline.set_text(headline_of(races))
        return races_in_words(races)


class _Panel:
    """One network on one task."""

    def __init__(self, ax: Axes):
        self.ax = style_axes(ax)
        ax.set(xticks=[], xlim=(0, 1), ylim=(LOWEST, 1.12))
        ax.tick_params(length=0, labelsize=FONT_SIZE)
        self.others, self.own = (
            ax.plot([], [], color=colour, linewidth=1.2, solid_capstyle="butt")[0]
            for colour in (FAINT, INK)
        )
        self.count = ax.text(
            0, 0, "", transform=ax.transAxes, size=FONT_SIZE, color=INK, in_layout=False,
            bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1},
        )  # fmt: skip
        self.moving = (self.others, self.own, self.count)

    def show(self, race: RaceScores, network: str) -> None:
        """Show one network's seeds before the medians of the others, and count who solves it."""
        others = [lane for name, lane in race.lanes.items() if name != network]
        self.others.set_data(*_lines((lane.steps, np.median(lane.ways, 0)) for lane in others))
        lane = race.lanes.get(network)
        if lane is None:
            self.own.set_data([], [])
            self.count.set(text="not run", position=(0.05, 0.92), ha="left", va="top")
            return
        self.own.set_data(*_lines((lane.steps, way) for way in lane.ways))
        self.count.set_text(f"{lane.solved} of {len(lane.ends)}")
        # what rises leaves the lower right corner free, what stays down the upper left one
        low = lane.ways[:, -1].min() > 0.5
        x, y, side, base = (0.97, 0.26, "right", "bottom") if low else (0.05, 0.92, "left", "top")
        self.count.set(position=(x, y), ha=side, va=base)


def _lines(ways: Iterable[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Return lines over the share of the updates as one line with gaps: it is drawn at once."""
    lines = [np.append([steps / steps[-1], way], [[np.nan]] * 2, 1) for steps, way in ways]
    x, y = np.concatenate([np.empty((2, 0)), *lines], 1)
    return x, y


def _below(ax: Axes) -> Text:
    """Return a text below a panel that moves with the picture."""
    ax.set_xlabel("A", alpha=0)  # keeps the room
    return ax.text(
        0.5, -0.06, "", transform=ax.transAxes, ha="center", va="top", in_layout=False,
        size=FONT_SIZE, color=INK,
    )  # fmt: skip


def headline_of(races: Sequence[RaceScores]) -> str:
    """Return how many of the tasks each network solves on every seed."""
    lanes = {name: [race.lanes[name] for race in races if name in race.lanes] for name in NETWORKS}
    sure = {name: sum(own.solved == len(own.ends) for own in lanes[name]) for name in NETWORKS}
    said = ", ".join(f"{label} {sure[name]}" for name, label in NETWORKS.items())
    return f"Of {len(races)} tasks solved on every seed: {said}"


def races_in_words(races: Sequence[RaceScores]) -> str:
    """Return on how many seeds each network solves each task."""
    told = []
    for race in races:
        counts = [str(race.lanes[n].solved) if n in race.lanes else "not run" for n in NETWORKS]
        told.append(f"{race.task} {', '.join(counts)}")
    return f"Seeds of {', '.join(NETWORKS.values())} that solve it: {'; '.join(told)}."


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
