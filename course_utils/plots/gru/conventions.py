"""Two ways to compute a GRU from the same sequence, one on top of the other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from course_utils.plots.numbers import number
from course_utils.plots.style import FAINT, add_legend, look, new_figure, style_axes


class TwoConventions(NamedTuple):
    """One unit in PyTorch's convention and in another, (T,) each."""

    steps: np.ndarray
    pytorch: np.ndarray
    chosen: np.ndarray
    gate: np.ndarray
    largest: float  # difference over all units and steps


class ConventionDrawing:
    """A unit's state in PyTorch and in the chosen convention; they cover each other when equal."""

    def __init__(self, figure: Figure | None = None):
        self.figure = figure or new_figure()
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.axhline(0, color=FAINT, linewidth=1)
        ax.set(ylim=(-1.1, 1.4), xlabel="step t", ylabel="state $h_t$ of the unit")
        styles = {
            "PyTorch": {**look("reference").line_style(), "linestyle": "-", "linewidth": 6},
            "this convention": look("h").line_style(),
            "its update gate": look("z").line_style(),
        }
        self.lines = [ax.plot([], [], label=name, **style)[0] for name, style in styles.items()]
        self.moving = tuple(self.lines)
        add_legend(ax, loc="upper right", ncols=3)

    def show(self, pair: TwoConventions) -> str:
        """Show one unit in both and say how far they are apart."""
        columns = (pair.pytorch, pair.chosen, pair.gate)
        for line, values in zip(self.lines, columns, strict=True):
            line.set_data(pair.steps, values)
        self.ax.set_xlim(pair.steps[0], pair.steps[-1])
        apart = float(np.abs(pair.pytorch - pair.chosen).max())
        same = pair.largest < 1e-10
        return (
            f"Over all units and {pair.steps[-1]} steps the two "
            + ("are the same network" if same else "are different networks")
            + f": their states differ by up to {number(pair.largest)}, in this unit by "
            f"{number(apart)}."
        )
