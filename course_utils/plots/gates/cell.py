"""The drawing of an LSTM's or a GRU's cell as it grows, gate by gate."""

from __future__ import annotations

from collections.abc import Mapping

from course_utils.plots.gates.cell_layout import layout_of
from course_utils.plots.gates.cell_sketch import CellSketch, signed_number
from course_utils.plots.glyphs import drawable
from course_utils.plots.picture import Plot
from course_utils.plots.style import new_axes

WHAT_IT_DOES = {
    "forget": "the forget gate f multiplies the old memory c at t-1",
    "input": "the input gate i waits at a product",
    "candidate": "the candidate g is multiplied by the input gate",
    "cell": "what is left of the old memory and what is written are added to the new memory c at t",
    "output": "the memory goes through tanh and the output gate o to the hidden state h at t",
    "update": "the update gate z multiplies the old state h at t-1; 1 minus z goes the other way",
    "reset": "the reset gate r multiplies what the candidate hears of the old state",
    "candidate of gru": "the candidate n reads the input and the part of the old state that r lets "
    "through",
    "state": "z parts of the old state and 1 minus z parts of the candidate make h at t",
}


def plot_cell(
    upto: str = "output",
    kind: str = "lstm",
    values: Mapping[str, float] | None = None,
    word: str = "",
) -> Plot:
    """Draw a cell built up to one stop, that stop lit; `values` fill its gauges."""
    stops = tuple(layout_of(kind).parts)
    if upto not in stops:
        raise ValueError(f"a cell of kind {kind!r} is built up to one of {', '.join(stops)}")
    ax = new_axes(height=2.7)
    scale = max([1.0, *(abs(v) for k, v in (values or {}).items() if k.startswith("c"))])
    CellSketch(ax, kind, upto).show(upto, values, scale, drawable(word) if word else "")
    reached = stops[: stops.index(upto) + 1]
    grown = "; ".join(map(_words(kind), reached))
    return Plot(ax.figure, f"A drawing of one cell: {grown}.{_numbers(values)}")


def _words(kind: str):
    return lambda stop: WHAT_IT_DOES.get(f"{stop} of {kind}") or WHAT_IT_DOES[stop]


def _numbers(values: Mapping[str, float] | None) -> str:
    if not values:
        return ""
    return " Its numbers: " + ", ".join(f"{k} = {signed_number(v)}" for k, v in values.items())
