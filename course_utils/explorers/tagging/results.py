"""Shipped runs: the learning curve by labels, and how deep and how wide."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course_utils.analysis.tagging.intervals import interval_of
from course_utils.explorers.machinery.controls import choice, switch
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.models.tagging import Encoder
from course_utils.plots.tagging.curves import NAMES, LabelCurves, LabelCurvesDrawing
from course_utils.plots.tagging.sizes import SizesDrawing, SizesView
from course_utils.results.tagging import accuracies, settings_of

WORD_WIDTH = 32  # of the vectors that the shipped runs read
SEEDS: dict[str, Callable[..., np.ndarray]] = {
    "the mean": np.mean,
    "the worst": np.min,
    "the best": np.max,
}


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


def explore_size() -> Explorer:
    """Show the mistakes of taggers of Python by depth and by width, or by what they cost."""
    return Explorer(
        "How deep and how wide?",
        {
            "seeds": choice("of five seeds", list(SEEDS)),
            "price": choice("across", [("units", False), ("numbers to learn", True)]),
        },
        size_view,
        SizesDrawing(),
        tabulate_sizes,
    )


def size_view(seeds: str = "the mean", price: bool = False) -> SizesView:
    """Look the depths and widths up in the shipped runs."""
    depths, widths = settings_of("layers", group="size"), settings_of("hidden", group="size")
    runs = {
        depth: np.array([accuracies(group="size", layers=depth, hidden=h) for h in widths])
        for depth in depths
    }
    learned = {depth: np.array([_numbers(depth, width) for width in widths]) for depth in depths}
    lines = {depth: SEEDS[seeds](found, axis=1) for depth, found in runs.items()}
    return SizesView(widths, learned, runs, lines, seeds, price)


def _numbers(layers: int, hidden: int) -> int:
    """Return how many numbers the layers have that read the words."""
    encoder = Encoder(WORD_WIDTH, hidden, layers)
    return sum(parameter.numel() for parameter in encoder.parameters())


def tabulate_sizes(view: SizesView) -> Table:
    """Return every setting, with all its seeds."""
    rows = [
        (depth, width, view.learned[depth][k], runs[k].mean(), runs[k].min(), runs[k].max())
        for depth, runs in view.runs.items()
        for k, width in enumerate(view.widths)
    ]
    return Table(("layers", "units", "numbers to learn", "mean", "worst", "best"), rows)
