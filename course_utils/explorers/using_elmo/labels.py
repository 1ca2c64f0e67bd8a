"""The learning curves of lecture 10, task by task, as they stand in the shipped file."""

from __future__ import annotations

import numpy as np

from course_utils.explorers.machinery.controls import choice, switch
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.using_elmo.curves import NAMES, Curves, CurvesDrawing
from course_utils.results.using_elmo import MAIN, scores_of

TASKS = {
    "era": "Era of a sentence",
    "grammar": "Tags, ambiguous grammar",
    "sentence_polarity": "Film reviews",
    "ud_english_ewt": "Tags, web English",
}


def explore_labels() -> Explorer:
    """Compare networks with and without vectors, by the number of labels."""
    return Explorer(
        "Who needs how many labels?",
        {
            "task": choice("task", [(label, name) for name, label in TASKS.items()]),
            "gain": switch("as gain over words only"),
        },
        label_curves,
        CurvesDrawing(),
        tabulate_curves,
    )


def label_curves(task: str, gain: bool = False) -> Curves:
    """Look up one task in the shipped file."""
    found = {variant: scores_of(task, variant) for variant in MAIN}
    sizes = found["words"].sizes
    scores = {name: np.array(curve.seeds) for name, curve in found.items()}
    return Curves(TASKS[task], sizes, scores, gain)


def tabulate_curves(curves: Curves) -> Table:
    """Return the median of every variant at every size, and its lowest and highest seed."""
    rows = [
        (size, NAMES[name], np.median(seeds), seeds.min(), seeds.max())
        for name, scores in curves.drawn().items()
        for size, seeds in zip(curves.sizes, scores, strict=True)
    ]
    return Table(("labels", "variant", "median", "lowest", "highest"), rows)
