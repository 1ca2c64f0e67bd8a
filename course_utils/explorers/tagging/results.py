"""Shipped runs: what a start is worth, by the number of labels and by the number of steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from course_utils.analysis.tagging.intervals import interval_of
from course_utils.explorers.machinery.controls import choice, switch
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.tagging.curves import NAMES, LabelCurves, LabelCurvesDrawing
from course_utils.results.tagging import COUNTS, accuracies, settings_of, settled

CHOSEN = "as validation chose"
BUDGETS = {"15 to 80": 0, "60 to 320": 1, "240 to 1,280": 2, "960 to 5,120": 3, CHOSEN: None}


def explore_starts() -> Explorer:
    """Show accuracy by the number of labels for every start that is switched on."""
    switches = {name: switch(label, True) for name, label in NAMES.items()}
    return Explorer(
        "What is reading first worth?",
        {"steps": choice("steps", [*BUDGETS], CHOSEN), **switches},
        lambda steps, **on: label_curves(
            tuple(name for name in NAMES if on[name]), budget=BUDGETS[steps]
        ),
        LabelCurvesDrawing(),
        tabulate_curves,
    )


def label_curves(
    starts: Sequence[str], live: tuple[int, float] | None = None, budget: int | None = None
) -> LabelCurves:
    """Look the starts up by the number of labels; `budget` None: the steps validation chose."""
    labels = settings_of("labels", group="labels")

    def runs(start: str, count: int) -> list[float]:
        wanted: dict[str, Any] = {"group": "labels", "start": start, "labels": count}
        if start == COUNTS:
            return accuracies(**wanted)
        if budget is None:
            return settled(**wanted)
        return accuracies(**wanted, steps=settings_of("steps", **wanted)[budget])

    return _curves(starts, labels, runs, live=live)


def step_curves(starts: Sequence[str], labels: int) -> LabelCurves:
    """Look the starts up by the number of steps, with so many labels."""
    wanted: dict[str, Any] = {"group": "labels", "labels": labels}

    def runs(start: str, steps: int) -> list[float]:
        taught: dict[str, Any] = {} if start == COUNTS else {"steps": steps}
        return accuracies(**wanted, start=start, **taught)

    return _curves(starts, settings_of("steps", **wanted), runs, across="steps")


def _curves(
    starts: Sequence[str],
    places: Sequence[int],
    runs: Callable[[str, int], list[float]],
    across: str = "labels",
    live: tuple[int, float] | None = None,
) -> LabelCurves:
    found = {name: [interval_of(runs(name, place)) for place in places] for name in starts}
    mean, low, high = (
        {name: np.array([getattr(at, part) for at in line]) for name, line in found.items()}
        for part in ("mean", "low", "high")
    )
    return LabelCurves(places, mean, low, high, live, across)


def tabulate_curves(curves: LabelCurves) -> Table:
    """Return every mean and its interval."""
    rows = [
        (NAMES[name], n, curves.means[name][k], curves.lows[name][k], curves.highs[name][k])
        for name in curves.means
        for k, n in enumerate(curves.places)
    ]
    return Table(
        ("start", curves.across, "mean", "from", "to"), rows or [("none", 0, 0.0, 0.0, 0.0)]
    )
