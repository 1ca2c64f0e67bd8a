"""Gradient norms of several networks on the same axes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from course_utils.numbers import number
from course_utils.plots.end_labels import EndLabels
from course_utils.plots.gradients.norms import set_decades, without_zeros
from course_utils.plots.style import (
    NETWORKS,
    add_headline,
    add_level,
    look,
    new_figure,
    style_axes,
)

# a fixed height, so that a curve can be compared with itself; smaller values lie below the paper
LIMITS, MOST_LAGS = (1e-32, 1e4), 200
CURVES = {**NETWORKS, "f": "product of f"}


class Highway(NamedTuple):
    """Gradient norms at every lag, (T,) each, and the LSTM's direct path."""

    lags: np.ndarray
    elman: np.ndarray
    gru: np.ndarray
    lstm: np.ndarray
    f: np.ndarray


class HighwayDrawing:
    """One curve per network and one for the LSTM's direct path, over lags, logarithmic."""

    def __init__(self) -> None:
        self.figure = new_figure()
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.set_yscale("log")
        set_decades(ax, *LIMITS)
        add_level(ax, 1, "as large as at the loss")
        ax.set(xlabel="lag: steps back from the loss", ylabel="gradient norm")
        self.lines = {key: ax.plot([], [], **look(key).line_style())[0] for key in CURVES}
        self.headline = add_headline(ax)
        self.names = EndLabels(ax, CURVES, {key: look(key).ink for key in CURVES})
        self.moving = (*self.lines.values(), *self.names.texts.values(), self.headline)

    def show(self, norms: Highway) -> str:
        """Show every curve and say what is left at its end."""
        shown = {key: getattr(norms, key) for key in self.lines}
        for key, curve in shown.items():
            self.lines[key].set_data(norms.lags, without_zeros(curve))
        self.ax.set_xlim(0, norms.lags[-1])
        lowest = {key: float(np.fmax(curve[-1], LIMITS[0])) for key, curve in shown.items()}
        self.names.show(lowest)
        self.headline.set_text(
            f"After {norms.lags[-1]} steps: LSTM {number(norms.lstm[-1], 1)}, "
            f"GRU {number(norms.gru[-1], 1)}, Elman {number(norms.elman[-1], 1)}"
        )
        ends = ", ".join(f"{CURVES[key]} {number(curve[-1])}" for key, curve in shown.items())
        return f"What is left of the gradient after {norms.lags[-1]} steps: {ends}."
