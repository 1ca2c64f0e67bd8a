"""One unit unrolled: forward through the values, back through the gradients."""

from __future__ import annotations

from course_utils.analysis.language.unrolled import INPUTS, unroll
from course_utils.explorers.machinery.controls import playable, slider
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.language.unrolled import UnrolledDrawing, UnrolledUnit

STEPS = len(INPUTS)


def explore_unrolled() -> Explorer:
    """Let the reader walk forward through the values, then back through the gradients."""
    return Explorer(
        "One unit, forward and back",
        {
            "moment": playable(slider("walk", 0, 2 * STEPS, STEPS, 1)),
            "u": slider("recurrent weight u", -2.0, 2.0, 0.8, 0.1),
            "w": slider("input weight w", -2.0, 2.0, 1.0, 0.1),
        },
        walked_unit,
        UnrolledDrawing(STEPS),
        tabulate_unrolled,
    )


def walked_unit(moment: int, u: float, w: float) -> UnrolledUnit:
    """Run the unit forward and back, and walk as far as `moment`."""
    run = unroll(u, w)
    return UnrolledUnit(run.x, run.y, run.h, run.loss, run.d_h, run.d_u, moment)


def tabulate_unrolled(run: UnrolledUnit) -> Table:
    """Return every value and gradient of the run."""
    headers = ("step", "x", "target", "h", "loss", "dJ/dh", "term of dJ/du")
    return Table(headers, list(zip(range(1, STEPS + 1), *run[:6], strict=True)))
