"""Accuracy by the number of labels, with an interval over seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from course_utils.numbers import number
from course_utils.plots.end_labels import EndLabels
from course_utils.plots.picture import Plot
from course_utils.plots.style import FONT_SIZE, add_headline, look, new_figure, style_axes

LOOK_OF = {
    "gradual": "measured", "slowed": "h", "all": "g", "frozen": "bound", "scratch": "o",
    "counts": "reference",
}  # fmt: skip
NAMES = {
    "gradual": "step by step", "slowed": "slower below", "all": "all at once",
    "frozen": "readout only", "scratch": "from scratch",
    "counts": "counts of words",
}  # fmt: skip
JITTER = 0.025


class LabelCurves(NamedTuple):
    """For each start the mean over seeds and its interval, by the number of labels."""

    labels: Sequence[int]
    means: Mapping[str, np.ndarray]
    lows: Mapping[str, np.ndarray]
    highs: Mapping[str, np.ndarray]
    live: tuple[int, float] | None = None  # labels, accuracy: measured just now


class LabelCurvesDrawing:
    """A line per start, with whiskers; a start that is not shown leaves its place empty."""

    def __init__(self) -> None:
        self.figure = new_figure(width=8.2, height=3.3)
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.set(xscale="log", ylim=(0.5, 1.02), xlabel="sentences with a label", ylabel="accuracy")
        ax.minorticks_off()
        self.lines, self.whiskers = {}, {}
        for name, own in LOOK_OF.items():
            (self.lines[name],) = ax.plot(
                [], [], marker="o", markersize=5, **look(own).line_style()
            )
            self.whiskers[name] = ax.vlines([], [], [], color=look(own).colour, linewidth=2)
        (self.live,) = ax.plot([], [], marker="*", markersize=17, color=look("c").ink, linestyle="")
        self.names = EndLabels(ax, NAMES, {name: look(own).ink for name, own in LOOK_OF.items()})
        self.headline = add_headline(ax)
        self.moving = (*self.lines.values(), *self.whiskers.values(), self.live,
                       *self.names.texts.values(), self.headline)  # fmt: skip

    def show(self, curves: LabelCurves) -> str:
        """Show the curves and say where a start from text is worth most."""
        labels = np.array(curves.labels)
        self.ax.set_xlim(labels[0] / 1.25, labels[-1] * 1.25)
        self.ax.set_xticks(labels, [f"{n:,}" for n in labels], size=FONT_SIZE - 1)
        for n, name in enumerate(LOOK_OF):
            shown = name in curves.means
            x = labels * 10 ** (JITTER * (n - (len(LOOK_OF) - 1) / 2))
            self.lines[name].set_data(x if shown else [], curves.means[name] if shown else [])
            ends = [
                [(at, low), (at, high)]
                for at, low, high in zip(x, curves.lows[name], curves.highs[name], strict=True)
            ] if shown else []  # fmt: skip
            self.whiskers[name].set_segments(ends)
        self.live.set_data(*([[value] for value in curves.live] if curves.live else ([], [])))
        low = self.ax.get_ylim()[0]  # where the name of a hidden curve waits, without a letter
        self.names.show({name: curves.means[name][-1] if name in curves.means else low
                         for name in LOOK_OF})  # fmt: skip
        for name, text in self.names.texts.items():
            text.set_visible(name in curves.means)
        self.headline.set_text(curves_headline(curves))
        return curves_in_words(curves)


def curves_headline(curves: LabelCurves) -> str:
    """Return who is ahead with the fewest labels and with the most."""
    if len(curves.means) < 2:
        return "Accuracy by the number of labels"
    few, many = (_ahead(curves, at) for at in (0, -1))
    return (
        f"Best with {curves.labels[0]} labels: {NAMES[few]}; "
        f"with {curves.labels[-1]:,}: {NAMES[many]}"
    )


def _ahead(curves: LabelCurves, at: int) -> str:
    return max(curves.means, key=lambda name: float(curves.means[name][at]))


def curves_in_words(curves: LabelCurves) -> str:
    """Return every start's mean at the fewest labels and at the most; the table has the others."""
    few, many = curves.labels[0], curves.labels[-1]
    told = [
        f"{NAMES[name]} {number(means[0], 2)}, {number(means[-1], 2)}"
        for name, means in curves.means.items()
    ]
    live = ""
    if curves.live:
        live = f" Measured now, {curves.live[0]} labels: {number(curves.live[1], 3)}."
    shown = f"At {few} and {many:,}: {'; '.join(told)}." if told else "No start is switched on."
    return f"{curves_headline(curves)}. {shown}{live}"


def plot_label_curves(curves: LabelCurves) -> Plot:
    """Draw the curves."""
    drawing = LabelCurvesDrawing()
    return Plot(drawing.figure, drawing.show(curves))
