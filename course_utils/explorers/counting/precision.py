"""A counter with few bits."""

from __future__ import annotations

import numpy as np

from course_utils.analysis.counting.precision import FORMATS, count_up_and_down, last_count
from course_utils.explorers.machinery.controls import choice, slider
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.frame import twin_of_chart
from course_utils.explorers.machinery.table import Table
from course_utils.plots.counting.rounded import RoundedCount, RoundedDrawing

MOST = 3000
OWN = "the number of bits set below"


def explore_precision() -> Explorer:
    """Let the reader take bits away until the counter breaks."""
    formats = [(f"{name} ({bits} significant bits)", name) for name, bits in FORMATS.items()]
    controls = {
        "format": choice("format", [*formats, (OWN, OWN)], OWN),
        "bits": slider("significant bits", 2, 12, 6, 1),
        "step": slider("what one letter adds", 0.1, 2.0, 1.0, 0.1),
        "n": slider("n", 1, MOST, 64, 1),
    }
    return Explorer(
        "How far does a counter with few bits get?",
        controls,
        rounded_count,
        RoundedDrawing(),
        tabulate_rounded,
        twin=twin_of_chart(
            "rounded_count",
            RoundedDrawing,
            lambda: (rounded_count(OWN, 6, 1.0, n) for n in (5, 64)),
            controls,
            lambda: {"formats": FORMATS},
        ),
    )


def rounded_count(format: str, bits: int, step: float, n: int) -> RoundedCount:
    """Count up and down with that many bits."""
    bits = FORMATS.get(format, bits)
    found = count_up_and_down(n, step, bits)
    cell = np.array(found.cell)
    return RoundedCount(n, bits, found.step, cell, found.accepted, last_count(bits))


def tabulate_rounded(count: RoundedCount) -> Table:
    """Return the cell and the exact sum at some twenty letters."""
    last = 2 * count.n
    places = sorted({*range(0, last + 1, max(1, last // 20)), count.n, last})
    rows = [(t, count.cell[t], count.step * (count.n - abs(t - count.n))) for t in places]
    return Table(("letters read", "cell", "without rounding"), rows)
