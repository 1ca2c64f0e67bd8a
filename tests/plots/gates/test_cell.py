"""The drawing of a cell grows with the walk, and says what it shows."""

from __future__ import annotations

import pytest

from course_utils.plots.gates.cell import plot_cell
from course_utils.plots.gates.cell_layout import LAYOUTS, layout_of
from course_utils.plots.gates.walk import ROWS


@pytest.mark.parametrize("kind", LAYOUTS)
def test_a_cell_grows_gate_by_gate(kind):
    """Catches a part that is drawn too early, and a drawing without words."""
    stops = list(layout_of(kind).parts)
    drawn = [len(plot_cell(stop, kind).ax.get_children()) for stop in stops]
    assert drawn == sorted(set(drawn))
    values = dict.fromkeys([*ROWS[kind], "c_prev", "h_prev"], 0.25)
    words = plot_cell(stops[1], kind, values).words
    assert "0.25" in words
    with pytest.raises(ValueError, match=stops[-1]):
        plot_cell("peephole", kind)
    with pytest.raises(ValueError, match="lstm"):
        plot_cell("cell", "transformer")
