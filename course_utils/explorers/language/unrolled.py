"""One unit unrolled: forward through the values, back through the gradients."""

from __future__ import annotations

from collections.abc import Mapping

import ipywidgets as widgets

from course_utils.analysis.language.unrolled import INPUTS, TARGETS, unroll
from course_utils.explorers.machinery.controls import playable, slider
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.looks import looks_of
from course_utils.explorers.machinery.table import Table
from course_utils.explorers.machinery.tours import Twin, stops_of
from course_utils.plots.language.unrolled import UnrolledDrawing, UnrolledUnit

STEPS = len(INPUTS)


def explore_unrolled() -> Explorer:
    """Let the reader walk forward through the values, then back through the gradients."""
    controls = {
        "moment": playable(slider("walk", 0, 2 * STEPS, STEPS, 1)),
        "u": slider("recurrent weight u", -2.0, 2.0, 0.8, 0.1),
        "w": slider("input weight w", -2.0, 2.0, 1.0, 0.1),
    }
    return Explorer(
        "One unit, forward and back",
        controls,
        walked_unit,
        UnrolledDrawing(STEPS),
        tabulate_unrolled,
        twin=Twin("unrolled", (), lambda: told_of_unit(controls)),
    )


def told_of_unit(controls: Mapping[str, widgets.Widget]) -> dict[str, object]:
    """Return what a page needs to walk through the unit itself."""
    moments = {"faint": 0, "forward": STEPS, "backward": 2 * STEPS}
    shown = {look: walked_unit(moment, 0.8, 1.0) for look, moment in moments.items()}
    return {
        **looks_of(UnrolledDrawing(STEPS), shown),
        "values": {name: [v for _, v in stops_of(one, None)] for name, one in controls.items()},
        "inputs": INPUTS,
        "targets": TARGETS,
    }


def walked_unit(moment: int, u: float, w: float) -> UnrolledUnit:
    """Run the unit forward and back, and walk as far as `moment`."""
    run = unroll(u, w)
    h, d_h, d_u = (part + 0.0 for part in (run.h, run.d_h, run.d_u))  # no minus before a zero
    return UnrolledUnit(run.x, run.y, h, run.loss, d_h, d_u, moment)


def tabulate_unrolled(run: UnrolledUnit) -> Table:
    """Return every value and gradient of the run."""
    headers = ("step", "x", "target", "h", "loss", "dJ/dh", "term of dJ/du")
    return Table(headers, list(zip(range(1, STEPS + 1), *run[:6], strict=True)))
