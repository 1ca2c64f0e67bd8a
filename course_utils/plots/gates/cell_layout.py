"""Where the parts of a gated cell stand, gate by gate: a table that `cell_sketch` draws.

The paper is 160 wide and 52 high. The memory runs along the top, what is read along the bottom,
the gates stand between them as gauges.
"""

from __future__ import annotations

from typing import NamedTuple

TOP, MIDDLE, GATE = 45, 35, 20  # heights of the memory, the products, the gate boxes
X_BUS, H_BUS = 7.5, 1.5  # heights of the two lines that are read: the word, the old hidden state
BUS_START = 32
BOX = (17, 13)  # width and height of a gate
LEFT, RIGHT = 11, 141  # where the states of the steps before and after stand
LAST_CORNER = RIGHT - 10


class Gauge(NamedTuple):
    """A number shown as a filled bar; signed ones fill from the middle."""

    name: str
    x: float
    y: float
    symbol: str
    signed: bool = False
    boxed: bool = True  # a gate computed here, not a state passing by


class Joint(NamedTuple):
    """A circle in which an operation is done."""

    x: float
    y: float
    sign: str


class Wire(NamedTuple):
    """Corners of a line; an arrow head ends it unless it is open."""

    look: str
    corners: tuple[tuple[float, float], ...]
    open: bool = False


class Part(NamedTuple):
    """What one stop of the walk adds to the drawing."""

    gauges: tuple[Gauge, ...]
    joints: tuple[Joint, ...]
    wires: tuple[Wire, ...]


class Layout(NamedTuple):
    """A cell: what is there before the first gate, then one part for every stop."""

    before: Part
    parts: dict[str, Part]


_OVER, _UNDER = GATE + BOX[1] / 2, GATE - BOX[1] / 2
_R = 3.6  # radius of a joint


def _up(look: str, x: float, start: float, end: float) -> Wire:
    return Wire(look, ((x, start), (x, end)))


def _along(look: str, start: float, end: float, y: float = TOP) -> Wire:
    return Wire(look, ((start, y), (end, y)))


def _fed(x: float, by: str = "xh") -> tuple[Wire, ...]:
    """Return the wires from what is read up to a gate."""
    wires = {"x": _up("reference", x - 3, X_BUS, _UNDER), "h": _up("h", x + 3, H_BUS, _UNDER)}
    return tuple(wires[name] for name in by)


def _before(state: str, look: str, x_end: float, h_end: float) -> Part:
    """Return what every cell has: the old state, and two lines that pass under all gates."""
    symbol = f"${look}_{{t-1}}$"
    return Part(
        (Gauge(state, LEFT, TOP, symbol, signed=True, boxed=False),),
        (),
        (
            Wire("reference", ((BUS_START, X_BUS), (x_end, X_BUS)), open=True),
            Wire("h", ((BUS_START, H_BUS), (h_end, H_BUS)), open=True),
        ),
    )


_F, _I, _G, _TANH, _O = 42, 63, 86, 101.5, 116  # where the LSTM's gates stand
LSTM = Layout(
    _before("c_prev", "c", _O - 3, _O + 3),
    {
        "forget": Part(
            (Gauge("f", _F, GATE, "$f_t$"),),
            (Joint(_F, TOP, "×"),),
            (
                *_fed(_F),
                _up("f", _F, _OVER, TOP - _R),
                _along("c", LEFT + 19, _F - _R),
                _along("c", _F + _R, _I),
            ),
        ),
        "input": Part(
            (Gauge("i", _I, GATE, "$i_t$"),),
            (Joint(_G, MIDDLE, "×"),),
            (*_fed(_I), Wire("i", ((_I, _OVER), (_I, MIDDLE), (_G - _R, MIDDLE)))),
        ),
        "candidate": Part(
            (Gauge("g", _G, GATE, "$g_t$", signed=True),),
            (),
            (*_fed(_G), _up("g", _G, _OVER, MIDDLE - _R)),
        ),
        "cell": Part(
            (Gauge("c", RIGHT, TOP, "$c_t$", signed=True, boxed=False),),
            (Joint(_G, TOP, "+"),),
            (
                _up("c", _G, MIDDLE + _R, TOP - _R),
                _along("c", _I, _G - _R),
                _along("c", _G + _R, LAST_CORNER),
            ),
        ),
        "output": Part(
            (
                Gauge("o", _O, GATE, "$o_t$"),
                Gauge("h", RIGHT, 29, "$h_t$", signed=True, boxed=False),
            ),
            (Joint(_TANH, MIDDLE, "tanh"), Joint(_O, MIDDLE, "×")),
            (
                *_fed(_O),
                _up("o", _O, _OVER, MIDDLE - _R),
                _up("c", _TANH, TOP, MIDDLE + _R),
                _along("c", _TANH + 1.8 * _R, _O - _R, MIDDLE),
                Wire("h", ((_O + _R, MIDDLE), (127.5, MIDDLE), (127.5, 29), (LAST_CORNER, 29))),
            ),
        ),
    },
)

_Z, _R_GATE, _TIMES, _N = 42, 70, 92, 116  # where the GRU's gates and its inner product stand
GRU = Layout(
    _before("h_prev", "h", _N - 3, _TIMES),
    {
        "update": Part(
            (Gauge("z", _Z, GATE, "$z_t$"),),
            (Joint(_Z, TOP, "×"), Joint(86, MIDDLE, "1−")),
            (
                *_fed(_Z),
                _up("z", _Z, _OVER, TOP - _R),
                _along("z", _Z, 86 - _R, MIDDLE),
                _along("h", LEFT + 19, _Z - _R),
                _along("h", _Z + _R, _R_GATE),
            ),
        ),
        "reset": Part(
            (Gauge("r", _R_GATE, GATE, "$r_t$"),),
            (Joint(_TIMES, GATE, "×"),),
            (
                *_fed(_R_GATE),
                _along("r", _R_GATE + BOX[0] / 2, _TIMES - _R, GATE),
                _up("h", _TIMES, H_BUS, GATE - _R),
            ),
        ),
        "candidate": Part(
            (Gauge("n", _N, GATE, "$n_t$", signed=True),),
            (Joint(_N, MIDDLE, "×"),),
            (
                *_fed(_N, by="x"),
                _along("h", _TIMES + _R, _N - BOX[0] / 2, GATE),
                _up("n", _N, _OVER, MIDDLE - _R),
            ),
        ),
        "state": Part(
            (Gauge("h", RIGHT, TOP, "$h_t$", signed=True, boxed=False),),
            (Joint(_N, TOP, "+"),),
            (
                _along("z", 86 + _R, _N - _R, MIDDLE),
                _up("n", _N, MIDDLE + _R, TOP - _R),
                _along("h", _R_GATE, _N - _R),
                _along("h", _N + _R, LAST_CORNER),
            ),
        ),
    },
)

LAYOUTS = {"lstm": LSTM, "gru": GRU}


def layout_of(kind: str) -> Layout:
    """Return the table of one kind of cell; say which there are when there is none."""
    if kind not in LAYOUTS:
        raise ValueError(f"no cell is drawn for {kind!r}: choose one of {', '.join(LAYOUTS)}")
    return LAYOUTS[kind]
