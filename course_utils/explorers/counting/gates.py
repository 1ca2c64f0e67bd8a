"""The gates of one cell, set by the reader until it counts."""

from __future__ import annotations

import numpy as np

from course_utils.analysis.counting.one_cell import Setting, cell_along, longest_with
from course_utils.explorers.machinery.controls import slider
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.frame import twin_of_chart
from course_utils.explorers.machinery.table import Table
from course_utils.plots.counting.gates import HandDrawing, SetByHand

LIMIT = 500


def explore_gates() -> Explorer:
    """Let the reader turn the knobs of one LSTM cell: pre-activations, as a bias would set them."""
    controls = {
        "forget": slider("into the forget gate", -4.0, 20.0, 2.0, 0.5),
        "write": slider("into the input gate", -4.0, 20.0, 0.0, 0.5),
        "at_a": slider("candidate at a", -20.0, 20.0, 1.0, 0.5),
        "at_b": slider("candidate at b", -20.0, 20.0, -0.5, 0.5),
        "n": slider("n", 2, LIMIT, 20, 1),
    }
    return Explorer(
        "Set the gates until the cell counts",
        controls,
        set_by_hand,
        HandDrawing(),
        tabulate_hand,
        twin=twin_of_chart(
            "set_by_hand",
            HandDrawing,
            lambda: (set_by_hand(2.0, 0.0, 1.0, -0.5, n) for n in (5, 20)),
            controls,
            lambda: {"limit": LIMIT},
        ),
    )


def set_by_hand(forget: float, write: float, at_a: float, at_b: float, n: int) -> SetByHand:
    """Run the cell along a^n b^n, and find out how far it would count."""
    setting = Setting(forget, write, at_a, at_b)
    cell = cell_along(setting, n)
    down = float(cell[n + 1] - cell[n])
    return SetByHand(n, cell, float(cell[1]), down, longest_with(setting, LIMIT), LIMIT)


def tabulate_hand(seen: SetByHand) -> Table:
    """Return the cell at some twenty letters."""
    places = np.unique(np.linspace(0, 2 * seen.n, 21).round().astype(int))
    return Table(("letters read", "cell"), [(int(t), seen.cell[t]) for t in places])
