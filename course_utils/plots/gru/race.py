"""Several networks learn one task: the median run as a line, all runs as a band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from course_utils.plots.numbers import number
from course_utils.plots.picture import Plot
from course_utils.plots.style import NETWORKS, add_legend, look, new_axes, new_figure, style_axes

TOPS = {"accuracy": 1.04, "error": 0.25}


class RaceScores(NamedTuple):
    """The scores of every seed on its way, {name: (seeds, N)}, and the networks' widths."""

    steps: np.ndarray  # (N,)
    scores: Mapping[str, np.ndarray]
    widths: Mapping[str, int]
    chance: float
    unit: str


class RaceDrawing:
    """Score against training steps for the three networks, with what guessing scores."""

    def __init__(self, figure: Figure | None = None):
        self.figure = figure or new_figure()
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.set_xlabel("training steps")
        self.lines, self.bands = {}, {}
        for name, label in NETWORKS.items():
            style = look(name)
            self.bands[name] = ax.add_collection(
                PolyCollection([], facecolors=style.colour, alpha=0.18, edgecolors="none")
            )
            (self.lines[name],) = ax.plot([], [], label=label, **style.line_style())
        (self.chance,) = ax.plot([], [], label="guessing", **look("reference").line_style())
        self.moving = (*self.bands.values(), *self.lines.values(), self.chance)
        add_legend(ax, loc="upper left", ncols=4)

    def show(self, race: RaceScores) -> str:
        """Show one race and say who ends where."""
        steps = race.steps
        for name, line in self.lines.items():
            scores = race.scores[name]  # (seeds, N)
            line.set_data(steps, np.median(scores, axis=0))
            there = np.column_stack([steps, scores.max(axis=0)])
            back = np.column_stack([steps, scores.min(axis=0)])[::-1]
            self.bands[name].set_verts([np.concatenate([there, back])])
        self.chance.set_data(steps[[0, -1]], [race.chance] * 2)
        self.ax.set_xlim(0, steps[-1])
        self.ax.set_ylim(0, TOPS[race.unit] * 1.12)  # the legend has its own room
        self.ax.set_ylabel(race.unit)
        return race_in_words(race)


def race_in_words(race: RaceScores) -> str:
    """Return where everybody ends: the median of the seeds, and their range."""
    ends = []
    for name, label in NETWORKS.items():
        last = race.scores[name][:, -1]
        ends.append(
            f"{label} {number(np.median(last), 3)} (from {number(last.min(), 3)} to "
            f"{number(last.max(), 3)}, {race.widths[name]} units)"
        )
    better = "higher" if race.unit == "accuracy" else "lower"
    return (
        f"After {race.steps[-1]} steps the median {race.unit} of {len(last)} seeds, {better} is "
        f"better: {'; '.join(ends)}. Guessing scores {number(race.chance, 3)}."
    )


def plot_learning(
    steps: Sequence[int], scores: Mapping[str, Sequence[float]], chance: float, unit: str
) -> Plot:
    """Draw single runs, each under a network's name."""
    ax = new_axes(height=3.0)
    for name, values in scores.items():
        ax.plot(steps, values, label=NETWORKS[name], **look(name).line_style())
    ax.axhline(chance, label="guessing", **look("reference").line_style())
    ax.set(xlabel="training steps", ylabel=unit, ylim=(0, TOPS[unit] * 1.12))
    add_legend(ax, loc="upper left", ncols=4)
    runs = ((NETWORKS[name], run[-1]) for name, run in scores.items())
    ends = "; ".join(f"{label} ends at {number(end, 3)}" for label, end in runs)
    return Plot(ax.figure, f"The {unit} over {steps[-1]} training steps: {ends}.")
