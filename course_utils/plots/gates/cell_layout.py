"""Where the parts of a gated cell stand: one table for both cells, so that one becomes the other.

The paper is 940 wide and 250 high. The memory is a belt along the top, what is read a rail along
the bottom, the gates stand between them. What does the same in an LSTM and in a GRU has the same
key and the same place: the gate that keeps, the one that chooses, the candidate.
"""

from __future__ import annotations

from typing import NamedTuple

WIDTH, HEIGHT = 940, 250
TOP, SHOWN, RAIL = 50, 112, 222  # heights of the memory, of what is shown, of what is read
KEEP, CHOOSE, PROPOSE, BRANCH, SHOW = 190, 308, 476, 658, 758  # from left to right
HOUSE = (122, 6, 696, 205)  # x, y, width, height of the cell itself
BOX = (106, 50)
BOX_TOP = 155
FULL = 32  # thickness of a belt that carries as much as its scale
WRITE, HEAR = 104, 195  # heights of the valves on belts that rise
HEARD = PROPOSE - 80  # where the GRU's candidate hears the old state


class Box(NamedTuple):
    """A gate or the candidate: computed here from what is read."""

    key: str
    name: str
    word: str
    x: float
    stop: str


class Valve(NamedTuple):
    """Two jaws on a belt, as far apart as the gate is open."""

    key: str
    gate: str
    x: float
    y: float
    rising: bool  # the belt goes up, so the jaws come from the sides
    stem: str  # the path from the gate
    stop: str
    complement: bool = False  # opened by 1 minus the gate


class Belt(NamedTuple):
    """A number on its way; `back` is the stop at which its gradient is known."""

    key: str
    look: str
    path: str
    stop: str
    back: str
    sign: tuple[float, float, int]  # where its direction is drawn: x, y and degrees


class Joint(NamedTuple):
    """A circle in which an operation is done."""

    key: str
    x: float
    y: float
    sign: str
    stop: str


class Layout(NamedTuple):
    """A cell: its stops in their order and what each adds to the drawing."""

    stops: tuple[str, ...]
    memory: str
    boxes: tuple[Box, ...]
    valves: tuple[Valve, ...]
    belts: tuple[Belt, ...]
    joints: tuple[Joint, ...]
    taps: tuple[tuple[str, float, str], ...]  # from the rail into a gate: key, x, stop


def _stem_up(x: float, top: float) -> str:
    return f"M{x} {BOX_TOP} V{top}"


def _stem_to_write(x: float) -> str:
    return f"M{x} {BOX_TOP} V{WRITE} H{PROPOSE - 23}"


def _stem_to_hear() -> str:
    return f"M{CHOOSE + BOX[0] / 2:g} {HEAR} H{HEARD - 23}"


def _top(look: str, first: str, last: str, back: tuple[str, str]) -> tuple[Belt, ...]:
    """Return the belts of the memory, from the old one on the left to the new one on the right."""
    places = {
        "old": (0, KEEP, first, back[1], 150),
        "kept": (KEEP, PROPOSE, first, back[1], 260),
        "sum": (PROPOSE, BRANCH, last, back[0], 575),
        "new": (BRANCH, WIDTH, last, back[0], 760),
    }
    return tuple(
        Belt(key, look, f"M{start} {TOP} H{end}", stop, known, (sign, TOP, 0))
        for key, (start, end, stop, known, sign) in places.items()
    )


def _rising(look: str, last: str) -> tuple[Belt, Belt]:
    """Return the belts from the candidate through its valve to the memory."""
    return (
        Belt("proposed", look, f"M{PROPOSE} {BOX_TOP} V{WRITE}", "candidate", "candidate",
             (PROPOSE, 139, -90)),
        Belt("written", look, f"M{PROPOSE} {WRITE} V{TOP}", last, "candidate",
             (PROPOSE, 77, -90)),
    )  # fmt: skip


LSTM = Layout(
    stops=("forget", "input", "candidate", "cell", "output"),
    memory="c",
    boxes=(
        Box("keeper", "f", "erase", KEEP, "forget"),
        Box("chooser", "i", "write", CHOOSE, "input"),
        Box("proposer", "g", "propose", PROPOSE, "candidate"),
        Box("shower", "o", "show", SHOW, "output"),
    ),
    valves=(
        Valve("keep", "f", KEEP, TOP, False, _stem_up(KEEP, TOP + 26), "forget"),
        Valve("write", "i", PROPOSE, WRITE, True, _stem_to_write(CHOOSE), "input"),
        Valve("show", "o", SHOW, SHOWN, False, _stem_up(SHOW, SHOWN + 26), "output"),
    ),
    belts=(
        *_top("c", "forget", "cell", ("cell", "forget")),
        *_rising("g", "cell"),
        Belt("branch", "c", f"M{BRANCH} {TOP} V{SHOWN - 18}", "output", "output",
             (BRANCH, 64, 90)),
        Belt("read", "c", f"M{BRANCH} {SHOWN - 18} V{SHOWN} H{SHOW}", "output", "output",
             (714, SHOWN, 0)),
        Belt("shown", "h", f"M{SHOW} {SHOWN} H{WIDTH}", "output", "output", (850, SHOWN, 0)),
    ),
    joints=(Joint("plus", PROPOSE, TOP, "+", "cell"), Joint("tanh", BRANCH, 86, "tanh", "output")),
    taps=(("keeper", KEEP, "forget"), ("chooser", CHOOSE, "input"),
          ("proposer", PROPOSE, "candidate"), ("shower", SHOW, "output")),
)  # fmt: skip

GRU = Layout(
    stops=("update", "reset", "candidate", "state"),
    memory="h",
    boxes=(
        Box("keeper", "z", "update", KEEP, "update"),
        Box("chooser", "r", "reset", CHOOSE, "reset"),
        Box("proposer", "n", "propose", PROPOSE, "candidate"),
    ),
    valves=(
        Valve("keep", "z", KEEP, TOP, False, _stem_up(KEEP, TOP + 26), "update"),
        Valve("write", "z", PROPOSE, WRITE, True, _stem_to_write(KEEP), "update", complement=True),
        Valve("hear", "r", HEARD, HEAR, True, _stem_to_hear(), "reset"),
    ),
    belts=(
        *_top("h", "update", "state", ("state", "update")),
        *_rising("n", "state"),
        Belt("felt", "h", f"M{HEARD} {RAIL} V{HEAR}", "reset", "reset", (HEARD, 214, -90)),
        Belt("heard", "h", f"M{HEARD} {HEAR} V{HEAR - 18} H{PROPOSE - BOX[0] / 2:g}", "candidate",
             "reset", (414, HEAR - 18, 0)),
    ),
    joints=(Joint("plus", PROPOSE, TOP, "+", "state"), Joint("one", CHOOSE, WRITE, "1−", "update")),
    taps=(("keeper", KEEP, "update"), ("chooser", CHOOSE, "reset"),
          ("proposer", PROPOSE, "candidate")),
)  # fmt: skip

LAYOUTS = {"lstm": LSTM, "gru": GRU}


def layout_of(kind: str) -> Layout:
    """Return the table of one kind of cell; for an unknown kind, list the known ones."""
    if kind not in LAYOUTS:
        raise ValueError(f"no cell is drawn for {kind!r}: choose one of {', '.join(LAYOUTS)}")
    return LAYOUTS[kind]
