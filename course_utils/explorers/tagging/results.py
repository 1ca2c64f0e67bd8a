"""Shipped runs: the learning curve by labels, and how deep and how wide."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from course_utils.analysis.tagging.intervals import interval_of
from course_utils.explorers.machinery.controls import choice, switch
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.agreement.rates import RateTable, RateTableDrawing
from course_utils.plots.tagging.curves import NAMES, LabelCurves, LabelCurvesDrawing
from course_utils.training.race.tagging import LAYERS, WIDTHS, accuracies, load_tagging_race
from course_utils.training.tagging.tuning import STEPS

SEEDS: dict[str, Callable] = {"the mean": np.mean, "the worst": np.min, "the best": np.max}


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
    found = {
        name: [interval_of(accuracies(_rows(), group="labels", start=name, labels=n))
               for n in STEPS]
        for name in starts
    }  # fmt: skip
    mean, low, high = (
        {name: np.array([getattr(at, part) for at in line]) for name, line in found.items()}
        for part in ("mean", "low", "high")
    )
    return LabelCurves(list(STEPS), mean, low, high, live)


def tabulate_curves(curves: LabelCurves) -> Table:
    """Return every mean and its interval."""
    rows = [
        (NAMES[name], n, curves.means[name][k], curves.lows[name][k], curves.highs[name][k])
        for name in curves.means
        for k, n in enumerate(curves.labels)
    ]
    return Table(("start", "labels", "mean", "from", "to"), rows or [("none", 0, 0.0, 0.0, 0.0)])


def explore_size() -> Explorer:
    """Show the accuracy of taggers of Python by depth and width."""
    return Explorer(
        "How deep and how wide?",
        {"seeds": choice("of all seeds", list(SEEDS))},
        size_table,
        RateTableDrawing(len(LAYERS), len(WIDTHS), digits=3),
        tabulate_sizes,
    )


def size_table(seeds: str = "the mean") -> RateTable:
    """Look the depths and widths up in the shipped runs."""
    values = np.array(
        [[SEEDS[seeds](accuracies(_rows(), group="size", layers=layers, hidden=width))
          for width in WIDTHS] for layers in LAYERS]
    )  # fmt: skip
    row, column = map(int, np.unravel_index(values.argmax(), values.shape))
    headline = f"Best by {seeds} of all seeds: {LAYERS[row]} deep, {WIDTHS[column]} wide"
    rows = ["1 layer" if n == 1 else f"{n} layers" for n in LAYERS]
    return RateTable(headline, rows, [f"{n} units" for n in WIDTHS], values)


def tabulate_sizes(table: RateTable) -> Table:
    """Return every accuracy."""
    rows = [
        (row, column, float(table.values[r, c]))
        for r, row in enumerate(table.rows)
        for c, column in enumerate(table.columns)
    ]
    return Table(("depth", "width", "accuracy"), rows)


@lru_cache(maxsize=1)
def _rows() -> list[dict]:
    return load_tagging_race()
