"""Lecture 01: the unrolled graph, and generation with temperature."""

from __future__ import annotations

from course_utils.analysis.unrolled import INPUTS, unroll
from course_utils.explorers.controls import slider
from course_utils.explorers.explorer import Explorer, Table
from course_utils.plots.unrolled import Moment, UnrolledDrawing

STEPS = len(INPUTS)


def explore_unrolled() -> Explorer:
    """Let the reader walk forward through the values, then back through the gradients."""
    return Explorer(
        "Forward through the values, back through the gradients",
        {
            "moment": slider("walk", 0, 2 * STEPS, STEPS, 1),
            "u": slider("recurrent weight u", -2.0, 2.0, 0.8, 0.1),
            "w": slider("input weight w", -2.0, 2.0, 1.0, 0.1),
        },
        lambda moment, u, w: Moment(unroll(u, w), moment),
        UnrolledDrawing(STEPS),
        tabulate_unrolled,
    )


def tabulate_unrolled(data: Moment) -> Table:
    """Return every value and gradient of the run."""
    run = data.run
    headers = ("step", "x", "target", "h", "loss", "dJ/dh", "term of dJ/du")
    rows = zip(range(1, STEPS + 1), run.x, run.y, run.h, run.loss, run.d_h, run.d_u, strict=True)
    return Table(headers, list(rows))
