"""Gates that preserve a gradient, after Graves."""

from __future__ import annotations

import ipywidgets as widgets

from course_utils.analysis.gates.latch import commands, latch, sensitivity_of_gates
from course_utils.explorers.machinery.controls import slider, text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.looks import lettering
from course_utils.explorers.machinery.table import Table
from course_utils.explorers.machinery.tours import Twin, stops_of
from course_utils.explorers.machinery.twin import chart_of
from course_utils.plots.gates.preservation import (
    BAR,
    FELT,
    FEWEST_STEPS,
    GATE,
    GATE_PLACES,
    MOST_STEPS,
    NODE,
    Preservation,
    PreservationDrawing,
)


def explore_graves() -> Explorer:
    """Let the reader open and close gates, and see how long the first input is felt."""
    strength = slider("weights of the gates", 1.0, 20.0, 12.0, 0.5)
    return Explorer(
        "Gates that preserve a gradient: o is open, - is closed",
        {
            "write": text("input gate", "o--------", "", ("o---o----", "---------")),
            "keep": text("forget gate", "-ooooo-oo", "open keeps", ("-oooooooo", "-oo-ooooo")),
            "read": text("output gate", "---o-oooo", "", ("ooooooooo", "--------o")),
            "strength": strength,
        },
        preservation_by_gates,
        PreservationDrawing(),
        tabulate_preservation,
        twin=Twin("graves", (), lambda: told_of_gates(strength)),
    )


def told_of_gates(strength: widgets.Widget) -> dict[str, object]:
    """Return what a page needs to open and close the gates itself."""
    drawing = PreservationDrawing()
    longest = "o" * MOST_STEPS
    shown = [preservation_by_gates("o-", pattern, "o-", 12.0) for pattern in ("o-", longest)]
    return {
        "chart": chart_of(drawing, shown),
        "headline": lettering(drawing.headline, drawing.figure.bbox.height),
        "places": GATE_PLACES,
        "sizes": {"node": NODE, "gate": GATE, "bar": BAR, "felt": FELT},
        "rise": drawing.ax.get_ylim(),
        "most": MOST_STEPS,
        "fewest": FEWEST_STEPS,
        "strengths": [value for _, value in stops_of(strength, None)],
    }


def preservation_by_gates(write: str, keep: str, read: str, strength: float) -> Preservation:
    """Run a latch on commands and differentiate it with respect to its first value."""
    if max(map(len, (write, keep, read))) > MOST_STEPS:
        raise ValueError(f"the picture has room for {MOST_STEPS} steps: write fewer letters")
    value_alone = slice(0, 1)
    step, felt = sensitivity_of_gates(latch(strength), commands(write, keep, read), value_alone)
    slope = latch(strength).weights().W[2, 0] * (1 - step.g[0] ** 2)  # of g to the first value
    shades = (part / slope for part in felt)
    return Preservation(*(v.flatten().numpy() for v in (step.i, step.f, step.o, *shades)))


def tabulate_preservation(picture: Preservation) -> Table:
    """Return every gate and both shades."""
    headers = ("step", "input gate", "forget gate", "output gate", "memory feels", "output feels")
    return Table(headers, [(t, *row) for t, row in enumerate(zip(*picture, strict=True), 1)])
