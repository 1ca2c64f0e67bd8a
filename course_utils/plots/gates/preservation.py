"""Gates that preserve a gradient, after Graves (2012), figure 4.4: drawn from real numbers.

A gate is a ring that closes to a bar: its height is the gate's value. Below a memory cell is its
input gate, to its left the forget gate, above it the output gate.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import EllipseCollection

from course_utils.plots.style import (
    FAINT,
    FONT_SIZE,
    INK,
    add_headline,
    keep_places,
    look,
    new_figure,
    style_axes,
)

FELT = 0.5  # of the first input: less is forgotten
MOST_STEPS, FEWEST_STEPS = 12, 8  # that the picture has room for
PLACES = (0.105, 0.143, 0.852, 0.917)  # left, bottom, right and top of the rows
ROWS = ("input", "memory", "output")
NODE, GATE, BAR = 0.44, 0.24, 0.035  # sizes in steps; a closed gate is a bar
GATE_WORDS = {"i": "input", "f": "forget", "o": "output"}
GATE_PLACES = {"i": (0.0, 0.5), "f": (-0.5, 1.0), "o": (0.0, 1.5)}  # beside the step's cell


class Preservation(NamedTuple):
    """Gates (T,) and how much the memory and the output feel the first input, 1 for all of it."""

    i: np.ndarray
    f: np.ndarray
    o: np.ndarray
    memory: np.ndarray
    output: np.ndarray


class PreservationDrawing:
    """Inputs, memory and output over the steps, filled where they feel the first input."""

    def __init__(self) -> None:
        self.figure = new_figure(height=3.8)
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.grid(False)
        ax.set(ylim=(-0.4, 2.4), xlabel="step")
        ax.set_xticks(range(1, MOST_STEPS + 1))
        ax.set_yticks(range(3), ROWS)
        for row in range(3):
            ax.axhline(row, color=FAINT, linewidth=0.8, alpha=0.5, zorder=0)
        for height, (name, word) in zip((0.5, 1.0, 1.5), GATE_WORDS.items(), strict=True):
            ax.text(
                1.005, height, f"{word} gate", transform=ax.get_yaxis_transform(), va="center",
                size=FONT_SIZE - 1, color=look(name).colour, weight="bold",
            )  # fmt: skip
        self.nodes = _ellipses(ax, NODE, edgecolors=INK, linewidths=1.3)
        self.gates = {
            name: _ellipses(ax, GATE, edgecolors=look(name).colour, linewidths=2.4)
            for name in GATE_PLACES
        }
        keep_places(self.figure, *PLACES)
        self.headline = add_headline(ax)
        self.moving = (self.nodes, *self.gates.values(), self.headline)

    def show(self, picture: Preservation) -> str:
        """Show gates and shades and say how long the first input is felt."""
        steps = np.arange(1, len(picture.memory) + 1)
        first = (steps == 1).astype(float)
        shades = np.concatenate([first, picture.memory, picture.output])
        places = [np.column_stack([steps, np.full(len(steps), row)]) for row in range(3)]
        self.nodes.set_offsets(np.concatenate(places))
        # the square root lets an eye tell 0.1 from 0
        self.nodes.set_facecolor([(1 - s,) * 3 for s in np.sqrt(np.clip(shades, 0, 1))])
        self.ax.set_xlim(0.2, max(len(steps), FEWEST_STEPS) + 0.8)
        for name, gate in self.gates.items():
            across, up = GATE_PLACES[name]
            gate.set_offsets(np.column_stack([steps + across, np.full(len(steps), up)]))
            gate.set_facecolor("white")
            gate.set_heights(np.maximum(GATE * getattr(picture, name), BAR))
            gate.set_widths(np.full(len(steps), GATE))
            gate.set_angles(np.zeros(len(steps)))
        self.headline.set_text(f"The first input {_felt(picture)}")
        return preservation_in_words(picture)


def _felt(picture: Preservation) -> str:
    held = np.flatnonzero(picture.memory > FELT)
    if not held.size:
        return "is never written"
    lost = held[-1] + 1 < len(picture.memory)
    return f"is felt {f'up to step {held[-1] + 1}' if lost else 'to the end'}"


def preservation_in_words(picture: Preservation) -> str:
    """Return how long the memory feels the first input, and at which steps the output does."""
    heard = np.flatnonzero(picture.output > 0.1) + 1
    if picture.memory.max() <= FELT:
        return "The first input is never written: no cell feels it."
    read = ", ".join(map(str, heard)) if heard.size else "no step"
    return (
        f"Over {len(picture.memory)} steps the first input {_felt(picture)} in the memory; "
        f"the output feels it at {'' if not heard.size else 'step '}{read}."
    )


def _ellipses(ax: Axes, size: float, **look_of: object) -> EllipseCollection:
    """Return rings measured along the axis of steps, so that they stay round."""
    rings = EllipseCollection(
        [size], [size], [0], units="x", offsets=[(0, 0)], transOffset=ax.transData, **look_of
    )
    ax.add_collection(rings)
    return rings
