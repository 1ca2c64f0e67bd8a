"""One unit of a gated cell at one word: drawing, equation, memory and gates move together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course_utils.plots.gates.cell_sketch import CellSketch, signed_number
from course_utils.plots.gates.equations import GateSum, equation
from course_utils.plots.glyphs import drawable
from course_utils.plots.numbers import share
from course_utils.plots.style import DIVERGING, FAINT, FONT_SIZE, INK, look, new_figure, style_axes

ROWS = {
    "lstm": {"f": "forget f", "i": "input i", "g": "candidate g", "c": "cell c", "o": "output o",
             "h": "hidden h"},
    "gru": {"z": "update z", "r": "reset r", "n": "candidate n", "h": "state h"},
}  # fmt: skip
MEMORY = {"lstm": "c", "gru": "h"}  # drawn as a line: a clock is no colour
SIGNED = "gnch"
HERE = "#e00000"  # the frame of what the stop fills
HEIGHT = 5.3  # inches, shared out from the bottom; the words of the sentence stand below 0.58
ROWS_AT, MEMORY_AT, EQUATION_AT, CELL_AT = (0.58, 0.9), (1.54, 0.58), (2.16, 0.58), (2.76, 2.54)
LEFT, ACROSS = 0.14, 0.73  # shares of the width
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
    """Above the cell, then its equation, below its memory and gates over the whole sentence."""

    def __init__(self, kind: str, figure: Figure | None = None):
        self.kind = kind
        self.rows = {name: label for name, label in ROWS[kind].items() if name != MEMORY[kind]}
        self.figure = figure or new_figure(height=HEIGHT)
        self.figure.set_layout_engine("none")
        self.cell = CellSketch(self._axes(CELL_AT, 0.0, 1.0), kind)
        strip = self._axes(EQUATION_AT, 0.0, 1.0)
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
        self._add_memory()
        self.moving = (
            *self.cell.moving, self.symbols, self.numbers, self.heat, self.line, self.point,
            self.column, self.now, self.here, *self.ends,
        )  # fmt: skip
        self._shown_words: tuple = ()

    def _axes(self, place: tuple[float, float], left: float = LEFT, across: float = ACROSS) -> Axes:
        bottom, height = (inches / HEIGHT for inches in place)
        return self.figure.add_axes((left, bottom, across, height))

    def _add_heat_map(self) -> None:
        self.ax = ax = style_axes(self._axes(ROWS_AT))
        ax.grid(False)
        self.heat = ax.imshow(
            np.zeros((len(self.rows), 1, 3)), aspect="auto", interpolation="nearest",
            extent=(-0.5, 0.5, len(self.rows) - 0.5, -0.5),
        )  # fmt: skip
        ax.set_yticks(range(len(self.rows)), list(self.rows.values()))
        ax.tick_params(length=0)
        ax.set_ylim(len(self.rows) - 0.5, -0.5)
        gates = [name for name in self.rows if name not in SIGNED]
        self._add_key(1.14, np.stack([shades(g, np.linspace(0, 1, 64)) for g in gates]), "01")
        signed = matplotlib.colormaps[DIVERGING](np.linspace(0, 1, 64))[None, :, :3]
        self._add_key(0.66, signed, ("−1", "+1"))
        box: dict[str, Any] = {"facecolor": "none", "zorder": 5, "clip_on": False}
        self.column = ax.add_patch(
            Rectangle((0, -0.5), 1, len(self.rows), edgecolor=INK, linewidth=1.5, **box)
        )
        self.here = ax.add_patch(Rectangle((0, 0), 1, 1, edgecolor=HERE, linewidth=3.5, **box))

    def _add_memory(self) -> None:
        name = MEMORY[self.kind]
        self.memory = ax = style_axes(self._axes(MEMORY_AT))
        ax.tick_params(labelbottom=False, length=0)
        ax.text(
            -0.008, 0.5, ROWS[self.kind][name], transform=ax.transAxes, ha="right", va="center",
            size=FONT_SIZE - 1, color=look(name).ink, weight="bold",
        )  # fmt: skip
        ax.yaxis.tick_right()
        ax.set(ylim=(-1.1, 1.1), yticks=(-1, 0, 1), yticklabels=("", "0", ""))
        # the scale's ends move with the unit: as ticks they would redraw all that stands still
        self.ends = [
            ax.text(
                1.008, height, "", transform=ax.get_yaxis_transform(), va="center",
                size=FONT_SIZE - 1, color=INK,
            )
            for height in (-1, 1)
        ]  # fmt: skip
        ax.axhline(0, color=FAINT, linewidth=1)
        self.now = ax.axvspan(0, 1, facecolor="none", edgecolor=INK, linewidth=1.5, zorder=5)
        (self.line,) = ax.plot([], [], **look(name).line_style())
        (self.point,) = ax.plot([], [], "o", markersize=9, color=look(name).colour, clip_on=False)

    def _add_key(self, bottom: float, colours: np.ndarray, ends: Sequence[str]) -> None:
        """Say what the colours mean: one little scale for gates, one for signed values."""
        ax = self._axes((bottom, 0.14), 0.89, 0.09)
        ax.imshow(colours, aspect="auto", interpolation="nearest")
        ax.set_yticks([])
        ax.set_xticks([0, 63], list(ends), fontsize=FONT_SIZE - 2, color=INK)
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
        self.heat.set_data(np.stack([colours_of(name, view.rows[name]) for name in self.rows]))
        self.heat.set_extent((-0.5, T - 0.5, len(self.rows) - 0.5, -0.5))
        self.column.set(x=view.t - 0.5)
        self._show_memory(view, scale)
        return view_in_words(view, lines.numbers)

    def _show_memory(self, view: GateView, scale: float) -> None:
        """Draw the memory over the sentence; ring what the stop fills, here or among the rows."""
        memory, row = view.rows[MEMORY[self.kind]], row_of(view)
        top = float(np.ceil(scale))
        for end, sign in zip(self.ends, "−+", strict=True):
            end.set_text(f"{sign}{top:g}")
        self.line.set_data(np.arange(len(memory)), memory / top)
        self.point.set_data([view.t], [memory[view.t] / top])
        self.now.set(x=view.t - 0.5)
        filled = row == MEMORY[self.kind]
        self.here.set_visible(not filled)
        self.now.set(edgecolor=HERE if filled else INK, linewidth=3.5 if filled else 1.5)
        if not filled:
            self.here.set(x=view.t - 0.5, y=list(self.rows).index(row) - 0.5)

    def _show_words(self, words: tuple[str, ...]) -> None:
        if words == self._shown_words:
            return
        self._shown_words = words
        T = len(words)
        for ax in (self.ax, self.memory):
            ax.set_xlim(-0.5, T - 0.5)
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
    """Return which row a stop fills."""
    return ROW_OF.get(view.stop) or ("g" if view.kind == "lstm" else "n")


def colours_of(name: str, row: np.ndarray) -> np.ndarray:
    """Return (T, 3): a gate from white to its own colour, signed values in two hues."""
    if name in SIGNED:
        return matplotlib.colormaps[DIVERGING](0.5 + np.clip(row, -1, 1) / 2)[..., :3]
    return shades(name, row)


def shades(gate: str, values: np.ndarray) -> np.ndarray:
    """Return (N, 3): paper where the gate is closed, its own colour where it is open."""
    return 1 - np.asarray(values)[:, None] * (1 - np.array(to_rgb(look(gate).colour)))


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
