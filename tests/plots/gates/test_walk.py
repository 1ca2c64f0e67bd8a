"""The picture of the gate walk: a line for the memory, every gate in its own colour."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from course_utils.plots.gates.equations import GateSum
from course_utils.plots.gates.walk import MEMORY, ROWS, GateView, GateWalkDrawing, colours_of
from course_utils.plots.style import look

T, UNIT = 3, 5


def view(kind: str, t: int, stop: str) -> GateView:
    """Return a unit whose rows are all different."""
    names = list(ROWS[kind])
    rows = {name: np.array([0.1, 0.5, 0.9]) * (n + 1) / len(names) for n, name in enumerate(names)}
    if kind == "lstm":
        rows["c"] = np.array([0.5, -2.5, 1.0])
    sums = dict.fromkeys(names, GateSum(0.1, 0.2, 0.3, 0.4))
    return GateView(kind, ("the", "old", "keys"), rows, sums, UNIT, t, stop)


@pytest.mark.parametrize("gate", ["f", "i", "o", "z", "r"])
def test_a_gate_has_the_colour_of_the_drawing_above(gate):
    """Catch grey rows under a coloured cell, and scales that run from open to shut."""
    shut, half, wide = colours_of(gate, np.array([0.0, 0.5, 1.0]))
    np.testing.assert_allclose(shut, 1)
    np.testing.assert_allclose(wide, to_rgb(look(gate).colour))
    np.testing.assert_allclose(half, (shut + wide) / 2)


@pytest.mark.parametrize(("kind", "stop"), [("lstm", "cell"), ("gru", "state")])
def test_the_memory_is_a_line_on_a_numbered_scale(kind, stop):
    """Catch the hidden state drawn for the cell, a scale too small, a point at another word."""
    drawing, shown = GateWalkDrawing(kind), view(kind, 1, stop)
    drawing.show(shown)
    memory = shown.rows[MEMORY[kind]]
    top = 3 if kind == "lstm" else 1
    assert [end.get_text() for end in drawing.ends] == [f"−{top}", f"+{top}"]
    assert [end.get_position()[1] for end in drawing.ends] == [-1, 1]
    np.testing.assert_allclose(drawing.line.get_ydata(), memory / top)
    np.testing.assert_allclose(drawing.point.get_xydata(), [[1, memory[1] / top]])
    assert drawing.memory.get_ylim() == (-1.1, 1.1)


@pytest.mark.parametrize(
    ("kind", "stop", "row"),
    [("lstm", "input", 1), ("lstm", "output", 3), ("lstm", "cell", None), ("gru", "reset", 1),
     ("gru", "candidate", 2), ("gru", "state", None)],
)  # fmt: skip
def test_the_frame_stands_around_what_the_stop_fills(kind, stop, row):
    """Catch a frame one row too low where the memory has left the heat map."""
    drawing = GateWalkDrawing(kind)
    drawing.show(view(kind, 0, "cell" if kind == "lstm" else "state"))
    drawing.show(view(kind, 2, stop))
    assert drawing.here.get_visible() is (row is not None)
    assert drawing.now.get_x() == 1.5
    if row is not None:
        assert drawing.here.get_xy() == (1.5, row - 0.5)
        label = drawing.ax.get_yticklabels()[row].get_text()
        assert label.startswith(stop)
