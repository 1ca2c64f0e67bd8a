"""Accuracy by the number of labels or of steps, with an interval over seeds."""

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
ACROSS = {"labels": "sentences with a label", "steps": "steps"}


class LabelCurves(NamedTuple):
    """For each start the mean over seeds and its interval, by the number of labels or steps."""

    places: Sequence[int]
    means: Mapping[str, np.ndarray]
    lows: Mapping[str, np.ndarray]
    highs: Mapping[str, np.ndarray]
    live: tuple[int, float] | None = None  # labels, accuracy: measured just now
    across: str = "labels"  # of ACROSS


class LabelCurvesDrawing:
    """A line per start, with whiskers; a start that is not shown leaves its place empty."""

    def __init__(self) -> None:
        self.figure = new_figure(width=8.2, height=3.3)
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.set(xscale="log", ylabel="accuracy")
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
        """Show the curves and say who is ahead at their first place and at their last."""
        places = np.array(curves.places)
        self.ax.set(xlim=(places[0] / 1.25, places[-1] * 1.25), xlabel=ACROSS[curves.across],
                    ylim=_span(curves))  # fmt: skip
        self.ax.set_xticks(places, [f"{n:,}" for n in places], size=FONT_SIZE - 1)
        for n, name in enumerate(LOOK_OF):
            shown = name in curves.means
            x = places * 10 ** (JITTER * (n - (len(LOOK_OF) - 1) / 2))
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


def _span(curves: LabelCurves) -> tuple[float, float]:
    """Return one span for all numbers of labels, as switches may move no axis; of steps its own."""
    if curves.across == "labels" or not curves.means:
        return 0.5, 1.02
    lows, highs = (np.stack(list(ends.values())) for ends in (curves.lows, curves.highs))
    return float(lows.min()) - 0.01, float(highs.max()) + 0.01


def curves_headline(curves: LabelCurves) -> str:
    """Return who is ahead with the fewest labels and with the most."""
    if len(curves.means) < 2:
        return f"Accuracy by the number of {curves.across}"
    few, many = (_ahead(curves, at) for at in (0, -1))
    best, at = ("Best", "with") if curves.across == "labels" else ("Ahead", "after")
    return (
        f"{best} {at} {curves.places[0]} {curves.across}: {NAMES[few]}; "
        f"{at} {curves.places[-1]:,}: {NAMES[many]}"
    )


def _ahead(curves: LabelCurves, at: int) -> str:
    return max(curves.means, key=lambda name: float(curves.means[name][at]))


def curves_in_words(curves: LabelCurves) -> str:
    """Return every start's mean at the first place and at the last; the table has the others."""
    few, many = curves.places[0], curves.places[-1]
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
