"""The fair race: any cell with any start at any rate, after any number of updates."""

from __future__ import annotations

from functools import cache

import numpy as np

from course_utils.explorers.machinery.controls import choice, stops
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.gru.race import Lane, RaceDrawing, RaceScores
from course_utils.plots.style import NETWORKS
from course_utils.results.memory import (
    MORE,
    Curves,
    Entrant,
    all_rates,
    best_curves,
    curves_at,
    rates_run,
    tasks_run,
    updates_of,
)

GATES = [
    ("as PyTorch draws it", "torch"),
    ("bias 1 where a gate keeps", "one"),
    ("chrono: biases spread up to the lag", "chrono"),
    ("one bias for all, as long as the lag", "long"),
]
ELMAN = [
    ("as PyTorch draws it", "torch"),
    ("orthogonal U, no biases", "orthogonal"),
    ("the same, W small for the lag", "quiet"),
]
BEST = 0.0  # in place of a rate
SHARES = [("a quarter", 0.25), ("a half", 0.5), ("three quarters", 0.75), ("all", 1.0)]
ALLOWED = [
    ("equal arithmetic: Elman four updates for one", "arithmetic"),
    ("equal numbers of updates", "updates"),
]


def explore_race() -> Explorer:
    """Let the reader choose starts, rate and updates, and see who solves what on how many seeds."""
    rates = [(f"{rate:g} for all", rate) for rate in all_rates()]
    share = stops("updates", SHARES)
    share.value = 1.0
    return Explorer(
        "Which network remembers? Ten seeds a point",
        {
            "elman": choice("Elman starts", ELMAN, "torch"),
            "gru": choice("GRU starts", GATES, "torch"),
            "lstm": choice("LSTM starts", GATES, "torch"),
            "rate": choice("learning rate", [("each at its own best", BEST), *rates], BEST),
            "share": share,
            "allowed": choice("given to all", ALLOWED),
        },
        races_on_file,
        RaceDrawing(len(tasks_run())),
        tabulate_races,
    )


def races_on_file(
    elman: str, gru: str, lstm: str, rate: float, share: float, allowed: str
) -> list[RaceScores]:
    """Return every task with these starts, this rate, and so much of the shipped updates."""
    starts = {"elman": elman, "gru": gru, "lstm": lstm}
    races = []
    for task in tasks_run():
        updates, lanes = int(share * updates_of(task)), {}
        for cell, start in starts.items():
            most = updates * (MORE[cell] if allowed == "arithmetic" else 1)
            if lane := _lane(task, Entrant(cell, start), rate, most):
                lanes[cell] = lane
        races.append(RaceScores(task, lanes, updates))
    return races


@cache  # a reader goes back and forth between few places
def _lane(task: str, entrant: Entrant, rate: float, most: int) -> Lane | None:
    """Return how ten seeds went, as the drawing wants it; nothing where nobody ran."""
    found = _found(task, entrant, rate, most)
    if found is None:
        return None
    ends = np.array(found.ends())
    return Lane(np.array(found.steps), np.array(found.ways()), ends, found.rates)


def _found(task: str, entrant: Entrant, rate: float, most: int) -> Curves | None:
    """Return the curves that were run, or nothing."""
    rates = rates_run(task, entrant)
    if rate == BEST and rates:
        return best_curves(task, entrant, most)
    return curves_at(task, entrant, rate).until(most) if rate in rates else None


def tabulate_races(races: list[RaceScores]) -> Table:
    """Return where every network ends: how many seeds solve it, the median, the worst, the best."""
    rows = []
    for race in races:
        for name, lane in race.lanes.items():
            worst, *_, best = lane.ends[np.argsort(lane.ways[:, -1])].tolist()
            rates = ", ".join(f"{rate:g}" for rate in sorted({*lane.rates}))
            updates, median = int(lane.steps[-1]), float(np.median(lane.ends))
            about = (race.task, NETWORKS[name], rates, updates)
            rows.append((*about, lane.solved, median, worst, best))
    heads = ("task", "network", "rate", "updates", "solved", "median", "worst", "best")
    return Table(heads, rows)
