"""Several networks learn one task: the median run as a line, all runs as a band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from course_utils.plots.end_labels import EndLabels
from course_utils.plots.numbers import number
from course_utils.plots.picture import Plot
from course_utils.plots.style import (
    NETWORKS,
    add_headline,
    look,
    new_axes,
    new_figure,
    style_axes,
)

TOPS = {"accuracy": 1.0, "error": 0.25}
PERFECT = {"accuracy": 1.0, "error": 0.0}
SOLVED, GUESSED = 0.9, 0.1  # of the way from guessing to perfect
SOLVE, ON_THE_WAY, GUESS = "solve the task", "get part of the way", "guess"
NAMES = {**NETWORKS, "reference": "guessing"}


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
        self.figure = figure or new_figure(height=3.8)
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.set_xlabel("training steps")
        self.lines, self.bands = {}, {}
        for name in NAMES:
            style = look(name)
            self.bands[name] = ax.add_collection(
                PolyCollection([], facecolors=style.colour, alpha=0.18, edgecolors="none")
            )
            (self.lines[name],) = ax.plot([], [], **style.line_style())
        self.names = _end_names(ax, NAMES)
        self.headline = add_headline(ax)
        self.moving = (
            *self.bands.values(), *self.lines.values(), *self.names.texts.values(), self.headline,
        )  # fmt: skip

    def show(self, race: RaceScores) -> str:
        """Show one race and say who ends where."""
        steps = race.steps
        top = TOPS[race.unit]
        self.ax.set(xlim=(0, steps[-1]), ylim=(0, top), ylabel=race.unit)
        guessing = np.full((1, len(steps)), race.chance)
        for name, scores in (*race.scores.items(), ("reference", guessing)):  # (seeds, N)
            line = self.lines[name]
            line.set_data(steps, np.median(scores, axis=0))
            line.set_clip_on(bool(scores.max() > top))  # a line along the edge keeps its width
            there = np.column_stack([steps, scores.max(axis=0)])
            back = np.column_stack([steps, scores.min(axis=0)])[::-1]
            self.bands[name].set_verts([np.concatenate([there, back])])
        self.names.show({name: line.get_ydata()[-1] for name, line in self.lines.items()})
        self.headline.set_text(verdict(race))
        return race_in_words(race)


def _end_names(ax: Axes, names: Mapping[str, str]) -> EndLabels:
    return EndLabels(ax, names, {name: look(name).ink for name in names})


def verdict(race: RaceScores) -> str:
    """Return who solves the task, who gets part of the way and who guesses, by the median."""
    groups: dict[str, list[str]] = {SOLVE: [], ON_THE_WAY: [], GUESS: []}
    for name, label in NETWORKS.items():
        end = np.median(race.scores[name][:, -1])
        way = (end - race.chance) / (PERFECT[race.unit] - race.chance)
        groups[SOLVE if way > SOLVED else GUESS if way < GUESSED else ON_THE_WAY].append(label)
    return "; ".join(_said_of(labels, verb) for verb, labels in groups.items() if labels)


def _said_of(labels: list[str], verb: str) -> str:
    if len(labels) == len(NETWORKS):
        return f"All three {verb}"
    if len(labels) == 1:
        first, *rest = verb.split()
        verb = " ".join([f"{first}{'es' if first == GUESS else 's'}", *rest])
    return f"{' and '.join(labels)} {verb}"


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
    ax.set(xlabel="training steps", ylabel=unit, xlim=(0, steps[-1]), ylim=(0, TOPS[unit]))
    for name, values in scores.items():
        ax.plot(steps, values, clip_on=max(values) > TOPS[unit], **look(name).line_style())
    ax.axhline(chance, **look("reference").line_style())
    shown = {*scores, "reference"}
    names = _end_names(ax, {name: label for name, label in NAMES.items() if name in shown})
    names.show({"reference": chance, **{name: values[-1] for name, values in scores.items()}})
    runs = ((NETWORKS[name], run[-1]) for name, run in scores.items())
    ends = "; ".join(f"{label} ends at {number(end, 3)}" for label, end in runs)
    return Plot(ax.figure, f"The {unit} over {steps[-1]} training steps: {ends}.")
