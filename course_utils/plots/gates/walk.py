"""One unit of a gated cell at one word: drawing, equation, memory and gates move together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from course_utils.numbers import number, share, signed_number
from course_utils.plots.gates.cell import CellState, draw_cell
from course_utils.plots.gates.cell_layout import HEIGHT as CELL_HEIGHT
from course_utils.plots.gates.cell_layout import WIDTH
from course_utils.plots.gates.equations import Equation, GateSum, equation, equation_back
from course_utils.plots.gates.flows import flows_back, flows_forward
from course_utils.plots.gates.strip import STRIP_HEIGHT, Strip, draw_strip
from course_utils.plots.scene.tags import tag
from course_utils.plots.svg import drawing, formula, line_of, plain

ROWS = {
    "lstm": {"f": "forget f", "i": "input i", "g": "candidate g", "c": "cell c", "o": "output o",
             "h": "hidden h"},
    "gru": {"z": "update z", "r": "reset r", "n": "candidate n", "h": "state h"},
}  # fmt: skip
MEMORY = {"lstm": "c", "gru": "h"}  # drawn as a line: a clock is no colour
ROW_OF = {"forget": "f", "input": "i", "cell": "c", "output": "o", "update": "z", "reset": "r",
          "state": "h"}  # fmt: skip
SYMBOLS_AT, NUMBERS_AT, STRIP_AT = CELL_HEIGHT + 21, CELL_HEIGHT + 46, CELL_HEIGHT + 55
SYMBOL_SIZE, NUMBER_SIZE = 22, 20


class GateView(NamedTuple):
    """What the walkthrough shows: one unit over all words, and where the walk stands.

    `gradients` holds dJ/d(name) where the walk goes back from J, the memory at the last word.
    """

    kind: str
    words: Sequence[str]
    rows: Mapping[str, np.ndarray]  # gate or state -> (T,)
    sums: Mapping[str, GateSum]  # of every gate, at this word
    unit: int
    t: int
    stop: str
    gradients: Mapping[str, np.ndarray] | None = None  # (T,) each
    notes: Sequence[str] = ()  # what the reader should know about the text

    @property
    def back(self) -> bool:
        """Return whether the walk goes back with the gradient."""
        return self.gradients is not None


class GateWalkDrawing:
    """Above the cell, then its equation, below its memory and gates over the whole sentence."""

    width = WIDTH

    def __init__(self) -> None:
        self.scene = drawing(WIDTH, 0)

    def show(self, view: GateView) -> str:
        """Draw one stop of the walk and say what it computes."""
        values, flows = values_at(view), flows_at(view, view.t)
        every = [flows_at(view, t) for t in range(len(view.words))]
        scale = max(1.0, *(abs(_bounded(key, v)) for one in every for key, v in one.items()))
        lines = _equation(view, values, flows)
        words = view_in_words(view, lines.numbers)
        state = CellState(view.kind, view.stop, values, flows, scale, view.words[view.t], view.back)
        self.scene = drawing(
            WIDTH, STRIP_AT + STRIP_HEIGHT, draw_cell(state),
            _lines(lines), draw_strip(_strip(view), STRIP_AT),
        )  # fmt: skip
        return words


def _bounded(key: str, value: float) -> float:
    """Leave the sum inside the GRU's candidate out of the scale: it is not a state."""
    return 0.0 if key in ("felt", "heard") else value


def _lines(lines: Equation) -> str:
    return tag(
        "g",
        line_of(formula(lines.symbols, SYMBOL_SIZE), x=WIDTH / 2, y=SYMBOLS_AT, key="symbols",
                text_anchor="middle", font_size=SYMBOL_SIZE),
        line_of(plain(lines.numbers), x=WIDTH / 2, y=NUMBERS_AT, key="numbers",
                text_anchor="middle", font_size=NUMBER_SIZE),
        data_key="equation",
    )  # fmt: skip


def _strip(view: GateView) -> Strip:
    memory = MEMORY[view.kind]
    labels = {name: label for name, label in ROWS[view.kind].items() if name != memory}
    name, look, line = ROWS[view.kind][memory], memory, view.rows[memory]
    if view.gradients is not None:
        name, look, line = f"∂J/∂{memory}_t", "", view.gradients[memory]
    row = row_of(view)
    filled = None if row == memory else row
    rows = {name: view.rows[name] for name in labels}
    return Strip(view.words, name, look, line, labels, rows, view.t, filled)


def values_at(view: GateView, t: int | None = None) -> dict[str, float]:
    """Return every gate and state of this unit at a word, and the states before it."""
    t = view.t if t is None else t
    values = {name: float(row[t]) for name, row in view.rows.items()}
    for state in "ch":
        if state in view.rows:
            values[f"{state}_prev"] = float(view.rows[state][t - 1]) if t else 0.0
    if "n" in view.sums and t == view.t:
        values["felt"] = view.sums["n"].from_state + view.sums["n"].inner_bias
    return values


def flows_at(view: GateView, t: int) -> dict[str, float]:
    """Return what every belt carries at a word."""
    values = values_at(view, t)
    if view.gradients is None:
        return flows_forward(view.kind, values)
    here = {name: float(row[t]) for name, row in view.gradients.items()}
    memory, keeper = MEMORY[view.kind], "f" if view.kind == "lstm" else "z"
    last = t + 1 == len(view.words)
    arriving = 1.0 if last else float(view.gradients[memory][t + 1] * view.rows[keeper][t + 1])
    return flows_back(view.kind, values, here, arriving)


def _equation(view: GateView, values: Mapping[str, float], flows: Mapping[str, float]) -> Equation:
    if view.gradients is None:
        return equation(view.kind, view.stop, values, view.sums)
    here = {name: float(row[view.t]) for name, row in view.gradients.items()}
    return equation_back(view.kind, view.stop, values, here, flows)


def row_of(view: GateView) -> str:
    """Return which row a stop fills."""
    return ROW_OF.get(view.stop) or ("g" if view.kind == "lstm" else "n")


def view_in_words(view: GateView, numbers: str) -> str:
    """Return where the walk stands, what the lit stop computes, and the numbers."""
    v = values_at(view)
    where = f"Word {view.t + 1} of {len(view.words)}, “{_said(view.words[view.t])}”, "
    where += f"unit {view.unit}, {view.stop}: "
    said = _meaning_back(view, v) if view.back else MEANING[view.stop](v, view.kind)
    return " ".join([where + said, f"({numbers.strip()})", *view.notes])


def _meaning_back(view: GateView, v: Mapping[str, float]) -> str:
    memory = MEMORY[view.kind]
    flows = flows_at(view, view.t)
    d = {name: float(row[view.t]) for name, row in (view.gradients or {}).items()}
    goal = f"J, the memory at the last word, “{_said(view.words[-1])}”,"
    through = {
        "output": lambda: f"of its gradient, {number(flows['branch'])} reach the cell through h",
        "forget": lambda: (
            f"the forget gate lets {share(v['f'])} of the gradient "
            f"{number(d[memory])} through to the word before"
        ),
        "update": lambda: (
            f"the update gate lets {share(v['z'])} of the gradient "
            f"{number(d[memory])} through to the word before"
        ),
        "candidate": lambda: f"the candidate hears {number(flows['proposed'])} of it",
        "input": lambda: f"the input gate's own gradient is {number(d.get('i', 0.0))}",
        "reset": lambda: f"the reset gate's own gradient is {number(d.get('r', 0.0))}",
    }
    if view.stop in ("cell", "state"):
        return f"here {goal} answers to the memory with the gradient {number(d[memory])}."
    return f"{through[view.stop]()}; {goal} is where it comes from."


def _said(word: str) -> str:
    return "new paragraph" if "\n" in word else word


MEANING: dict[str, Callable[[Mapping[str, float], str], str]] = {
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
