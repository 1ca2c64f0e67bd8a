"""The drawing of an LSTM's or a GRU's cell as it grows, gate by gate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from course_utils.numbers import number, signed_number
from course_utils.plots.gates.cell_layout import (
    BOX,
    BOX_TOP,
    BRANCH,
    HEIGHT,
    HOUSE,
    KEEP,
    LAYOUTS,
    PROPOSE,
    RAIL,
    SHOWN,
    TOP,
    WIDTH,
    Layout,
    layout_of,
)
from course_utils.plots.gates.cell_parts import (
    GHOST,
    draw_belt,
    draw_box,
    draw_joint,
    draw_rail,
    draw_valve,
    thickness,
)
from course_utils.plots.gates.flows import flows_forward
from course_utils.plots.glyphs import readable
from course_utils.plots.scene.tags import tag
from course_utils.plots.style import FAINT, INK, look
from course_utils.plots.svg import Sketch, drawing, formula, line_of, plain

WHAT_IT_DOES = {
    "forget": "the forget gate f opens or shuts a valve on the old memory c at t-1",
    "input": "the input gate i sets the valve that waits for the candidate",
    "candidate": "the candidate g flows up to the input gate's valve",
    "cell": "what is left of the old memory and what is written add up to the new memory c at t",
    "output": "the memory goes through tanh and the output gate o to the hidden state h at t",
    "update": "the update gate z opens one valve on the old state h at t-1 and shuts another on "
    "the candidate by as much",
    "reset": "the reset gate r opens or shuts a valve on what the candidate hears of the old state",
    "candidate of gru": "the candidate n reads the input and the part of the old state that r lets "
    "through",
    "state": "z parts of the old state and 1 minus z parts of the candidate make h at t",
}


class CellState(NamedTuple):
    """What a cell's drawing shows: how far it has grown, and every number that is known."""

    kind: str
    stop: str
    values: Mapping[str, float] | None  # gates and states; None: no numbers yet
    flows: Mapping[str, float] | None  # of every belt: a value, or a gradient on its way back
    scale: float  # the value that fills a belt
    word: str = ""
    back: bool = False


def draw_cell(state: CellState) -> str:
    """Return the cell as one SVG group: reached parts in colour, the others as ghosts."""
    layout = layout_of(state.kind)
    shows = _Alphas(layout, state)
    gates = state.values or {}
    flows = state.flows or {}
    shapes = [_house(), draw_rail(_taps(shows), RAIL, BOX_TOP + BOX[1])]
    for one, alpha in shows.every("belts"):
        value = flows.get(one.key) if alpha == 1 else None
        shapes.append(draw_belt(one, value, state.scale, alpha, state.back))
    for one, alpha in shows.every("valves"):
        shapes.append(draw_valve(one, gates.get(one.gate) if alpha == 1 else None, alpha))
    for one, alpha in shows.every("joints"):
        lit = one.key == "plus" and one.stop == state.stop
        shapes.append(draw_joint(one, alpha, lit))
    for one, alpha in shows.every("boxes"):
        value = gates.get(one.name) if alpha == 1 else None
        shapes.append(draw_box(one, value, alpha, one.stop == state.stop))
    return tag("g", *shapes, *_labels(state, shows), *_reading(state), data_key="cell")


class _Alphas:
    """How clearly each part is seen: reached, still a ghost, or a part of the other cell."""

    def __init__(self, layout: Layout, state: CellState):
        self.layout, self.back = layout, state.back
        self.order = layout.stops[::-1] if state.back else layout.stops
        self.here = self.order.index(state.stop)

    def reached(self, stop: str) -> bool:
        return self.order.index(stop) <= self.here

    def every(self, parts: str) -> Iterator[tuple[Any, float]]:
        """Yield (part, alpha) of this cell, then what only the other cell has, unseen."""
        own = {one.key: one for one in getattr(self.layout, parts)}
        for one in own.values():
            if parts == "belts":
                stop = one.back if self.back else one.stop
            else:  # going back, every gate has long been computed
                stop = self.order[0] if self.back else one.stop
            yield one, 1.0 if self.reached(stop) else GHOST
        for other in LAYOUTS.values():
            for one in getattr(other, parts):
                if one.key not in own:
                    yield one, 0.0


def _taps(shows: _Alphas) -> tuple[tuple[str, float, float], ...]:
    """Return the ways from the rail into the gates: (key, x, alpha)."""
    stops = {key: stop for key, _, stop in shows.layout.taps}
    alphas = {
        key: 1.0 if shows.back or shows.reached(stop) else GHOST for key, stop in stops.items()
    }
    every = {key: x for layout in LAYOUTS.values() for key, x, _ in layout.taps}
    return tuple((key, x, alphas.get(key, 0.0)) for key, x in every.items())


def _house() -> str:
    x, y, width, height = HOUSE
    return tag(
        "rect", x=x, y=y, width=width, height=height, rx=18, fill="#fafafa", stroke="#dddddd",
        stroke_width=2, data_key="house",
    )  # fmt: skip


class _Label(NamedTuple):
    """What stands beside a belt, before its number."""

    belt: str
    symbol: str  # a formula
    word: str
    x: float
    y: float
    anchor: str


def _places(memory: str, back: bool) -> tuple[_Label, ...]:
    above, below, end = TOP - 25, SHOWN - 20, WIDTH - 4
    if back:
        between = (PROPOSE + BRANCH) / 2 + 4
        return (
            _Label("old", f"∂J/∂{memory}_{{t−1}}", "along the belt", 4, above, "start"),
            _Label("sum", f"∂J/∂{memory}_t", "", between, above, "middle"),
            _Label("new", "", "from the right", end, above, "end"),
            _Label("shown", "", "via h", end, below, "end"),
        )
    return (
        _Label("old", f"{memory}_{{t−1}}", "", 4, above, "start"),
        _Label("kept", "", "kept", (KEEP + PROPOSE) / 2, above, "middle"),
        _Label("written", "", "added", PROPOSE + 28, 84, "start"),
        _Label("new", f"{memory}_t", "", end, above, "end"),
        _Label("shown", "h_t", "", end, below, "end"),
    )


def _labels(state: CellState, shows: _Alphas) -> list[str]:
    """Write beside each belt that has been reached what it carries."""
    flows, said = state.flows or {}, number if state.back else signed_number
    belts = {belt.key: belt for belt, alpha in shows.every("belts") if alpha == 1}
    found = []
    for label in _places(shows.layout.memory, state.back):
        known = label.belt in flows
        if label.belt not in belts or not (known or label.symbol):
            continue
        ink = INK if state.back else look(belts[label.belt].look).ink
        rest = [label.word, said(flows[label.belt]) if known else ""]
        found.append(
            line_of(
                formula(label.symbol), plain("".join(f" {part}" for part in rest if part)),
                x=label.x, y=label.y, key=f"label-{label.belt}", text_anchor=label.anchor,
                fill=ink, font_weight="bold",
            )
        )  # fmt: skip
    return found


def _reading(state: CellState) -> list[str]:
    """Name what the rail carries, and the scale of the belts."""
    word = [plain(f" = “{readable(state.word)}”")] if state.word else []
    line = line_of(
        plain("reads "), formula("x_t"), *word, plain(" and all units of "), formula("h_{t−1}"),
        x=4, y=HEIGHT - 5, key="reads",
    )  # fmt: skip
    if not state.flows:
        return [line]
    one, x = thickness(1.0, state.scale), WIDTH - 166
    return [
        line,
        tag("rect", x=x, y=RAIL + 15 - one / 2, width=12, height=one, fill=FAINT, data_key="one"),
        line_of(plain("= 1; hollow < 0"), x=x + 20, y=HEIGHT - 5, key="scale"),
    ]


def plot_cell(
    upto: str = "output",
    kind: str = "lstm",
    values: Mapping[str, float] | None = None,
    word: str = "",
) -> Sketch:
    """Draw a cell built up to one stop, that stop lit; `values` open its valves."""
    stops = layout_of(kind).stops
    if upto not in stops:
        raise ValueError(f"a cell of kind {kind!r} is built up to one of {', '.join(stops)}")
    flows = flows_forward(kind, values) if values else None
    scale = max([1.0, *map(abs, (flows or {}).values())])
    reached = stops[: stops.index(upto) + 1]
    grown = "; ".join(map(_words(kind), reached))
    words = f"A drawing of one cell: {grown}.{_numbers(values)}"
    state = CellState(kind, upto, values, flows, scale, word)
    return Sketch(drawing(WIDTH, HEIGHT, draw_cell(state)), words)


def _words(kind: str) -> Callable[[str], str]:
    return lambda stop: WHAT_IT_DOES.get(f"{stop} of {kind}") or WHAT_IT_DOES[stop]


def _numbers(values: Mapping[str, float] | None) -> str:
    if not values:
        return ""
    return " Its numbers: " + ", ".join(f"{k} = {signed_number(v)}" for k, v in values.items())
