"""Shipped runs: what a start is worth, by the number of labels."""

from __future__ import annotations

import numpy as np

from course_utils.analysis.tagging.intervals import interval_of
from course_utils.explorers.machinery.controls import switch
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.tagging.curves import NAMES, LabelCurves, LabelCurvesDrawing
from course_utils.results.tagging import accuracies, settings_of


def explore_starts() -> Explorer:
    """Show accuracy by the number of labels for every start that is switched on."""
    return Explorer(
        "What is reading first worth?",
        {name: switch(label, True) for name, label in NAMES.items()},
        lambda **on: label_curves(tuple(name for name in NAMES if on[name])),
        LabelCurvesDrawing(),
        tabulate_curves,
    )


def label_curves(starts: tuple[str, ...], live: tuple[int, float] | None = None) -> LabelCurves:
    """Look the starts up in the shipped runs."""
    labels = settings_of("labels", group="labels")
    found = {
        name: [interval_of(accuracies(group="labels", start=name, labels=n)) for n in labels]
        for name in starts
    }
    mean, low, high = (
        {name: np.array([getattr(at, part) for at in line]) for name, line in found.items()}
        for part in ("mean", "low", "high")
    )
    return LabelCurves(labels, mean, low, high, live)


def tabulate_curves(curves: LabelCurves) -> Table:
    """Return every mean and its interval."""
    rows = [
        (NAMES[name], n, curves.means[name][k], curves.lows[name][k], curves.highs[name][k])
        for name in curves.means
        for k, n in enumerate(curves.labels)
    ]
    return Table(("start", "labels", "mean", "from", "to"), rows or [("none", 0, 0.0, 0.0, 0.0)])
