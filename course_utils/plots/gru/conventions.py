"""Two ways to compute a GRU from the same sequence, and the difference between them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from course_utils.numbers import number
from course_utils.plots.end_labels import EndLabels
from course_utils.plots.style import FAINT, INK, add_headline, look, new_figure, style_axes

SAME = 1e-10  # rounding in float64 stays below


class TwoConventions(NamedTuple):
    """One unit in PyTorch's convention and in another, (T,) each."""

    steps: np.ndarray
    pytorch: np.ndarray
    chosen: np.ndarray
    gate: np.ndarray
    largest: float  # difference over all units and steps


class ConventionDrawing:
    """What the chosen convention adds to PyTorch's state, a flat line when they are equal."""

    def __init__(self) -> None:
        self.figure = new_figure(height=4.2)
        self.ax, self.strip = (
            style_axes(ax) for ax in self.figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
        )
        self.ax.set(ylim=(-2, 2), ylabel="unit's state $h_t$")  # two states in (-1, 1) apart
        self.ax.axhline(0, color=FAINT, linewidth=1)
        self.strip.set(ylim=(0, 1), xlabel="step t", ylabel="its gate", yticks=(0, 1))
        state, gate = look("h"), look("z")
        (self.state,) = self.ax.plot([], [], color=state.colour, linewidth=1.2)
        (self.difference,) = self.ax.plot([], [], color=INK, linewidth=2.6)
        (self.gate,) = self.strip.plot([], [], **gate.line_style())
        self.names = EndLabels(
            self.ax,
            {"state": "PyTorch", "difference": "difference"},
            {"state": state.ink, "difference": INK},
        )
        self.gate_name = EndLabels(self.strip, {"gate": "update"}, {"gate": gate.ink})
        self.headline = add_headline(self.ax)
        self.moving = (
            *(self.state, self.difference, self.gate, self.headline),
            *(*self.names.texts.values(), *self.gate_name.texts.values()),
        )

    def show(self, pair: TwoConventions) -> str:
        """Show one unit's difference and say how far the two networks are apart."""
        difference = pair.chosen - pair.pytorch
        self.state.set_data(pair.steps, pair.pytorch)
        self.difference.set_data(pair.steps, difference)
        self.gate.set_data(pair.steps, pair.gate)
        self.names.show({"state": pair.pytorch[-1], "difference": difference[-1]})
        self.gate_name.show({"gate": pair.gate[-1]})
        self.ax.set_xlim(pair.steps[0], pair.steps[-1])
        same, largest = pair.largest < SAME, number(pair.largest)
        self.headline.set_text(
            "The same network: no difference is left"
            if same
            else f"A different network: its states differ by up to {largest}"
        )
        return (
            f"Over all units and {pair.steps[-1]} steps the two "
            + ("are the same network" if same else "are different networks")
            + f": their states differ by up to {largest}, in this unit by "
            f"{number(np.abs(difference).max())}."
        )
