"""The drawing of a cell grows with the walk; belts are as thick as values, valves open as gates."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from course_utils.plots.gates.cell import CellState, draw_cell, plot_cell
from course_utils.plots.gates.cell_layout import FULL, LAYOUTS, layout_of
from course_utils.plots.gates.cell_parts import JAWS
from course_utils.plots.gates.flows import flows_back, flows_forward
from course_utils.plots.gates.walk import ROWS
from course_utils.plots.style import look
from course_utils.plots.svg import drawing
from tests.plots.gates.drawn import number, part, read, text

VALUES = {
    "lstm": {"f": 0.25, "i": 0.5, "g": -0.8, "c": -0.2, "o": 0.75, "h": -0.148, "c_prev": 0.8},
    "gru": {"z": 0.25, "r": 0.5, "n": -0.8, "h": -0.4, "h_prev": 0.8, "felt": 0.6},
}
KINDS = pytest.mark.parametrize("kind", LAYOUTS)


def drawn(kind: str, stop: str | None = None, **changes):
    """Return the cell of VALUES as a page reads it."""
    values = VALUES[kind]
    stop = stop or layout_of(kind).stops[-1]
    state = CellState(kind, stop, values, flows_forward(kind, values), 1.0, "the")
    return read(drawing(940, 250, draw_cell(state._replace(**changes))).svg())


def seen(root) -> set[str]:
    """Return the keys of the parts that are no ghosts."""
    keys = [(one.get("data-key"), one.get("opacity")) for one in root.iter()]
    return {key for key, alpha in keys if alpha == "1" and "-" in key}


@KINDS
def test_a_cell_grows_gate_by_gate(kind):
    """Catches a part that is drawn too early, a gap in the end, and a drawing without words."""
    stops = layout_of(kind).stops
    parts = [seen(read(plot_cell(stop, kind).scene.svg())) for stop in stops]
    for before, after in pairwise(parts):
        assert before < after
    whole = layout_of(kind)
    every = {f"belt-{belt.key}" for belt in whole.belts} | {f"box-{box.key}" for box in whole.boxes}
    assert every <= parts[-1]
    assert "0.25" in plot_cell(stops[1], kind, VALUES[kind]).words
    with pytest.raises(ValueError, match=stops[-1]):
        plot_cell("peephole", kind)
    with pytest.raises(ValueError, match="lstm"):
        plot_cell("cell", "transformer")


@KINDS
def test_a_ghost_tells_no_number(kind):
    """Catches the candidate's value shown before the walk has come to it."""
    root = drawn(kind, layout_of(kind).stops[0])
    assert text(root, "box-keeper", "number") == f"{layout_of(kind).boxes[0].name}t 0.25"
    assert "0.8" not in text(root, "box-proposer", "number")


@KINDS
def test_a_belt_is_as_thick_as_its_value(kind):
    """Catches a thickness that is not proportional, a wrong value on a belt, a sign unseen."""
    v, root = VALUES[kind], drawn(kind)
    keeper = v["f"] if kind == "lstm" else v["z"]
    writer = v["i"] if kind == "lstm" else 1 - v["z"]
    for key, value in (("old", 0.8), ("kept", 0.8 * keeper), ("proposed", -0.8),
                       ("written", -0.8 * writer)):  # fmt: skip
        assert number(root, f"belt-{key}", "outer", "stroke-width") == pytest.approx(
            abs(value) * FULL, abs=0.01
        )
        hollow = number(root, f"belt-{key}", "inner", "stroke-width")
        assert (hollow > 0) == (value < 0)


@KINDS
@pytest.mark.parametrize("scale", [1.0, 2.5])
def test_the_scale_is_drawn_to_scale(kind, scale):
    """Catches a memory silently rescaled: what 1 is must be seen."""
    root = drawn(kind, scale=scale)
    assert number(root, "one", "height") == pytest.approx(FULL / scale, abs=0.01)
    assert number(root, "belt-old", "outer", "stroke-width") == pytest.approx(0.8 * FULL / scale)


@KINDS
def test_a_valve_is_as_open_as_its_gate(kind):
    """Catches jaws that shut where the gate opens, and 1 minus z forgotten."""
    root, v = drawn(kind), VALUES[kind]
    for valve in layout_of(kind).valves:
        open_to = 1 - v[valve.gate] if valve.complement else v[valve.gate]
        jaws = sum(number(root, f"valve-{valve.key}", f"jaw{s}", "height") for s in (-1, 1))
        assert JAWS - jaws == pytest.approx(open_to * JAWS, abs=0.02)
    assert layout_of("gru").valves[1].complement


@KINDS
def test_a_gate_has_its_one_colour(kind):
    """Catches a gate's box, valve and stem in different colours, or in another gate's."""
    root, whole = drawn(kind), layout_of(kind)
    for box in whole.boxes:
        assert part(root, f"box-{box.key}", "box").get("stroke") == look(box.name).colour
    for valve in whole.valves:
        for piece, attribute in (("stem", "stroke"), ("frame", "stroke"), ("jaw1", "fill")):
            found = part(root, f"valve-{valve.key}", piece).get(attribute)
            assert found == look(valve.gate).colour


def test_one_cell_becomes_the_other():
    """Catches parts that jump: what does the same keeps key and place, what is lost fades."""
    lstm, gru = drawn("lstm"), drawn("gru")
    keys = [
        [one.get("data-key") for one in root.iter() if one.get("opacity")] for root in (lstm, gru)
    ]
    assert set(keys[0]) == set(keys[1])
    for key in ("keeper", "chooser", "proposer"):
        places = [part(root, f"box-{key}", "box") for root in (lstm, gru)]
        assert places[0].get("x") == places[1].get("x")
        assert places[0].get("y") == places[1].get("y")
    for key, alphas in (("box-shower", "10"), ("valve-hear", "01"), ("belt-old", "11")):
        assert [part(root, key).get("opacity") for root in (lstm, gru)] == list(alphas)
    stems = [part(root, "valve-write", "stem").get("d") for root in (lstm, gru)]
    assert stems[0] != stems[1]
    assert [c for c in stems[0] if c.isalpha()] == [c for c in stems[1] if c.isalpha()]


@KINDS
def test_the_way_back_fills_from_the_right(kind):
    """Catches belts that still carry values, and gradients shown before the walk back is there."""
    whole = layout_of(kind)
    slopes = {name: 0.1 * (k + 1) for k, name in enumerate([*ROWS[kind]])}
    flows = flows_back(kind, VALUES[kind], slopes, 0.3)
    roots = [drawn(kind, stop, flows=flows, back=True) for stop in whole.stops]
    counts = [len(seen(root)) for root in roots]
    assert counts == sorted(counts, reverse=True)
    memory = slopes[whole.memory]
    keeper = VALUES[kind]["f" if kind == "lstm" else "z"]
    assert number(roots[0], "belt-old", "outer", "stroke-width") == pytest.approx(
        memory * keeper * FULL, abs=0.02
    )
    assert part(roots[0], "belt-old", "outer").get("stroke") not in {
        look(name).colour for name in ROWS[kind]
    }
    assert "belt-old" not in seen(roots[-1])


def test_belts_obey_the_equations():
    """Catches a belt with a number that no equation gives, by NumPy."""
    v = VALUES["lstm"]
    flows = flows_forward("lstm", v)
    assert flows["kept"] + flows["written"] == pytest.approx(v["c"])
    assert flows["shown"] == pytest.approx(v["o"] * np.tanh(v["c"]))
    v = VALUES["gru"]
    flows = flows_forward("gru", v)
    assert flows["kept"] + flows["written"] == pytest.approx(v["h"])
    assert flows["heard"] == pytest.approx(0.3)
