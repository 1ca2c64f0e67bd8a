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
    """Show the shipped runs of the three networks on every task: each start and size."""
    return Explorer(
        "Three networks, five tasks",
        {
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
        races_on_file,
        RaceDrawing(len(RACES)),
        tabulate_races,
    )  # fmt: skip


def races_on_file(start: str, equal: str) -> list[RaceScores]:
    """Return the shipped comparison with one start and one size, task by task."""
    if start == "one" and equal == "parameters":
        raise ValueError("the bias of 1 was run at equal width only: choose the width")
    return [_race_on_file(task, start, equal) for task in RACES]


def _race_on_file(task: str, start: str, equal: str) -> RaceScores:
    results = _results()
    rows = {name: find_row(results, task, Entrant(name, start, equal)) for name in NETWORKS}
    race = results["races"][task]
    return RaceScores(
        task,
        np.array(race["steps"]),
        {name: np.array(row["scores"]) for name, row in rows.items()},
        {name: row["width"] for name, row in rows.items()},
        race["chance"],
        race["unit"],
    )


def tabulate_races(races: list[RaceScores]) -> Table:
    """Return where every network ends: its median seed, its worst and its best."""
    rows = []
    for race in races:
        for name, label in NETWORKS.items():
            ends = np.sort(race.scores[name][:, -1])
            worst, *_, best = ends if race.unit == "accuracy" else ends[::-1]
            measure = f"{race.unit}, {race.task}"
            rows.append((measure, label, race.widths[name], np.median(ends), worst, best))
    return Table(("at the end", "network", "units", "median", "worst", "best"), rows)


@lru_cache(maxsize=1)
def _results() -> dict:
    return load_results()
