"""One unit of a gated cell at one word: drawing, equation and heat map that move together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course_utils.plots.gates.cell_sketch import CellSketch, signed_number
from course_utils.plots.gates.equations import GateSum, equation
from course_utils.plots.glyphs import drawable
from course_utils.plots.numbers import share
from course_utils.plots.style import DIVERGING, FONT_SIZE, INK, new_figure, style_axes

ROWS = {
    "lstm": {"f": "forget f", "i": "input i", "g": "candidate g", "c": "cell c", "o": "output o",
             "h": "hidden h"},
    "gru": {"z": "update z", "r": "reset r", "n": "candidate n", "h": "state h"},
}  # fmt: skip
OPEN = "Greys"  # gates: white is closed, dark is open
SIGNED = "gnch"
ROOM = 52  # characters that fit below the heat map side by side
MOST_SLANTED = 20  # words; more stand upright
ROW_OF = {"forget": "f", "input": "i", "cell": "c", "output": "o", "update": "z", "reset": "r",
          "state": "h"}  # fmt: skip


class GateView(NamedTuple):
    """What the walkthrough shows: one unit over all words, and where the walk stands."""

    kind: str
    words: Sequence[str]
    rows: Mapping[str, np.ndarray]  # gate or state -> (T,)
    sums: Mapping[str, GateSum]  # of every gate, at this word
    unit: int
    t: int
    stop: str
    notes: Sequence[str] = ()  # what the reader should know about the text


class GateWalkDrawing:
    """Above the cell, then its equation, below every gate over the whole sentence."""

    def __init__(self, kind: str, figure: Figure | None = None):
        self.kind = kind
        self.figure = figure or new_figure(height=5.0)
        self.figure.set_layout_engine("none")
        self.cell = CellSketch(self.figure.add_axes((0.0, 0.46, 1.0, 0.54)), kind)
        strip = self.figure.add_axes((0.0, 0.33, 1.0, 0.13))
        strip.set(xlim=(0, 1), ylim=(0, 1))
        strip.axis("off")
        style: dict[str, Any] = {
            "color": INK,
            "va": "center",
            "ha": "center",
            "fontsize": FONT_SIZE + 2,
        }
        self.symbols = strip.text(0.5, 0.76, "", **style)
        self.numbers = strip.text(0.5, 0.24, "", **style)
        self._add_heat_map()
        self.moving = (
            *self.cell.moving, self.symbols, self.numbers, self.heat, self.column, self.here,
        )  # fmt: skip
        self._shown_words: tuple = ()

    def _add_heat_map(self) -> None:
        names = ROWS[self.kind]
        self.ax = ax = style_axes(self.figure.add_axes((0.14, 0.125, 0.73, 0.2)))
        ax.grid(False)
        self.heat = ax.imshow(
            np.zeros((len(names), 1, 3)), aspect="auto", interpolation="nearest",
            extent=(-0.5, 0.5, len(names) - 0.5, -0.5),
        )  # fmt: skip
        ax.set_yticks(range(len(names)), list(names.values()))
        ax.tick_params(length=0)
        ax.set_ylim(len(names) - 0.5, -0.5)
        self._add_key(0.17, DIVERGING, ("−", "+"))
        self._add_key(0.265, OPEN, ("0", "1"))
        box: dict[str, Any] = {"facecolor": "none", "zorder": 5, "clip_on": False}
        self.column = ax.add_patch(
            Rectangle((0, -0.5), 1, len(names), edgecolor=INK, linewidth=1.5, **box)
        )
        self.here = ax.add_patch(Rectangle((0, 0), 1, 1, edgecolor="#e00000", linewidth=3.5, **box))

    def _add_key(self, bottom: float, colours: str, ends: tuple[str, str]) -> None:
        """Say what the colours mean: one little scale for gates, one for signed values."""
        ax = self.figure.add_axes((0.89, bottom, 0.09, 0.025))
        ax.imshow(np.linspace(0, 1, 64)[None, :], cmap=colours, aspect="auto", vmin=0,
                  vmax=1 / 0.9 if colours == OPEN else 1)  # fmt: skip
        ax.set_yticks([])
        ax.set_xticks([0, 63], ends, fontsize=FONT_SIZE - 2, color=INK)
        ax.tick_params(length=0, pad=1)

    def show(self, view: GateView) -> str:
        """Show one stop of the walk and say what it computes."""
        values = values_at(view)
        scale = max(1.0, float(np.abs(view.rows["c"]).max())) if "c" in view.rows else 1.0
        self.cell.show(view.stop, values, scale, drawable(view.words[view.t]))
        lines = equation(view.kind, view.stop, values, view.sums)
        self.symbols.set_text(lines.symbols)
        self.numbers.set_text(lines.numbers)
        self._show_words(tuple(view.words))
        T = len(view.words)
        self.heat.set_data(colours_of(view, scale))
        self.heat.set_extent((-0.5, T - 0.5, len(view.rows) - 0.5, -0.5))
        self.column.set(x=view.t - 0.5)
        self.here.set(x=view.t - 0.5, y=list(ROWS[view.kind]).index(row_of(view)) - 0.5)
        return view_in_words(view, lines.numbers)

    def _show_words(self, words: tuple[str, ...]) -> None:
        if words == self._shown_words:
            return
        self._shown_words = words
        T = len(words)
        self.ax.set_xlim(-0.5, T - 0.5)
        room = ROOM / T  # characters a column
        slanted = max(map(len, words)) > room
        upright = T > MOST_SLANTED
        shown = [drawable(word, 7 if upright else 8 if slanted else 12) for word in words]
        self.ax.set_xticks(range(T), shown)
        for label in self.ax.get_xticklabels():
            label.set(rotation=90 if upright else 35 if slanted else 0,
                      ha="right" if slanted and not upright else "center",
                      rotation_mode="anchor" if slanted and not upright else "default",
                      fontsize=FONT_SIZE - (4 if upright else 2 if slanted else 1))  # fmt: skip


def values_at(view: GateView) -> dict[str, float]:
    """Return every gate and state of this unit at this word, and the states before it."""
    values = {name: float(row[view.t]) for name, row in view.rows.items()}
    for state in "ch":
        if state in view.rows:
            values[f"{state}_prev"] = float(view.rows[state][view.t - 1]) if view.t else 0.0
    return values


def row_of(view: GateView) -> str:
    """Return which row of the heat map a stop fills."""
    return ROW_OF.get(view.stop) or ("g" if view.kind == "lstm" else "n")


def colours_of(view: GateView, scale: float) -> np.ndarray:
    """Return (rows, T, 3): gates from white to dark, signed values in two hues."""
    picture = []
    for name in ROWS[view.kind]:
        row = np.asarray(view.rows[name])
        if name in SIGNED:
            size = scale if name == "c" else 1.0
            picture.append(matplotlib.colormaps[DIVERGING](0.5 + np.clip(row / size, -1, 1) / 2))
        else:
            picture.append(matplotlib.colormaps[OPEN](0.9 * row))
    return np.stack(picture)[..., :3]


def view_in_words(view: GateView, numbers: str) -> str:
    """Return where the walk stands, what the lit stop computes, and the numbers."""
    v = values_at(view)
    where = f"Word {view.t + 1} of {len(view.words)}, “{_said(view.words[view.t])}”, "
    where += f"unit {view.unit}, {view.stop}: "
    return " ".join([where + MEANING[view.stop](v, view.kind), f"({numbers.strip()})", *view.notes])


def _said(word: str) -> str:
    return "new paragraph" if "\n" in word else word


MEANING = {
    "forget": lambda v, _: (
        f"the forget gate keeps {share(v['f'])} of the old memory {signed_number(v['c_prev'])}."
    ),
    "input": lambda v, _: f"the input gate lets {share(v['i'])} of the candidate in.",
    "candidate": lambda v, kind: (
        f"the candidate is {signed_number(v['g' if kind == 'lstm' else 'n'])}."
    ),
    "cell": lambda v, _: (
        f"the memory goes from {signed_number(v['c_prev'])} to {signed_number(v['c'])}."
    ),
    "output": lambda v, _: (
        f"the output gate shows {share(v['o'])} of the memory: h is {signed_number(v['h'])}."
    ),
    "update": lambda v, _: (
        f"the update gate keeps {share(v['z'])} of the old state {signed_number(v['h_prev'])}."
    ),
    "reset": lambda v, _: (
        f"the reset gate lets the candidate hear {share(v['r'])} of the old state."
    ),
    "state": lambda v, _: (
        f"the state goes from {signed_number(v['h_prev'])} to {signed_number(v['h'])}."
    ),
}
