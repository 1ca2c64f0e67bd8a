"""How long the kernel takes from a moved control to a new picture, for every explorer."""

from __future__ import annotations

import gc
import statistics
import time

from course_utils import explorers
from course_utils.explorers.machinery.controls import positions
from tests.benchmarks.measure import Row

ALLOWED_MS = 50.0
ROUNDS = 2


def rows() -> list[Row]:
    """Return one row an explorer: the median over every control, as a share of what is allowed."""
    return [redraw(name) for name in explorers.__all__ if name.startswith("explore_")]


def redraw(name: str) -> Row:
    """Move every control to its ends and back; CPU time, which other programs do not lengthen."""
    explorer = getattr(explorers, name)()
    taken = []
    gc.collect()
    for _ in range(ROUNDS):
        for control in explorer.controls.values():
            for value in (*positions(control), control.value):
                start = time.process_time()
                control.value = value
                taken.append(1000 * (time.process_time() - start))
        explorer.reset()
    taken = [ms for ms in taken if ms > 0.5]  # a value that was there already draws nothing
    explorer.close()
    median, worst = statistics.median(taken), max(taken)
    detail = f"{median:.1f} ms of {ALLOWED_MS:.0f}, at most {worst:.1f}"
    return Row(f"{name}, a change of a control", median / ALLOWED_MS, "<= 1", detail)
