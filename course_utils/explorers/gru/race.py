"""Three networks in a race: the shipped runs."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from course_utils.explorers.machinery.controls import choice
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.gru.race import RaceDrawing, RaceScores
from course_utils.plots.style import NETWORKS
from course_utils.training.race.races import RACES, Entrant
from course_utils.training.race.results import find_row, load_results


def explore_race() -> Explorer:
    """Show the shipped runs of the three networks: every task, start and size."""
    return Explorer(
        "Three networks, one task",
        {
            "task": choice("task", list(RACES), "recall over 200 steps"),
            "start": choice(
                "the start",
                [("as PyTorch draws it", "torch"), ("bias 1 where a gate keeps", "one"),
                 ("each its own: chrono; orthogonal U", "chrono")],
                "chrono",
            ),
            "equal": choice(
                "what is equal", [("the width", "width"), ("the parameters", "parameters")]
            ),
        },
        race_on_file,
        RaceDrawing(),
        tabulate_race,
    )  # fmt: skip


def race_on_file(task: str, start: str, equal: str) -> RaceScores:
    """Return one race as the shipped file tells it."""
    results = _results()
    if start == "one" and equal == "parameters":
        raise ValueError("the bias of 1 was run at equal width only: choose the width")
    rows = {name: find_row(results, task, Entrant(name, start, equal)) for name in NETWORKS}
    race = results["races"][task]
    return RaceScores(
        np.array(race["steps"]),
        {name: np.array(row["scores"]) for name, row in rows.items()},
        {name: row["width"] for name, row in rows.items()},
        race["chance"],
        race["unit"],
    )


def tabulate_race(race: RaceScores) -> Table:
    """Return the median of everybody at every look."""
    medians = [np.median(race.scores[name], axis=0) for name in NETWORKS]
    rows = list(zip(race.steps, *medians, strict=True))
    return Table(("step", *(f"{label}, median" for label in NETWORKS.values())), rows)


@lru_cache(maxsize=1)
def _results() -> dict:
    return load_results()
