"""The fair race of Elman network, GRU and LSTM: every point's curves, and each cell at its best.

A point is a task, a cell with a start, and a learning rate; ten seeds ran it. No cell is judged at
one rate, and no seed at a rate that it helped to choose.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from statistics import fmean
from typing import NamedTuple

from course_utils.results.files import Row, not_run, shipped_rows

# PyTorch's; the keeping gate at bias 1; biases for the lag, spread or the same for all units; an
# orthogonal U without biases, and the same with a W that is small for the lag
GATED = ("torch", "one", "chrono", "long")
STARTS = {"elman": ("torch", "orthogonal", "quiet"), "gru": GATED, "lstm": GATED}
# an Elman network's update is a quarter of an LSTM's arithmetic: it gets four times as many
MORE = {"elman": 4, "gru": 1, "lstm": 1}
SCALE = 10_000  # scores are kept as whole numbers of this
SOLVED = 0.9  # of the way from guessing to perfect
UNITS = {"recall": ("accuracy", 1 / 2), "copy": ("accuracy", 1 / 4), "adding": ("error", 1 / 6)}
PERFECT = {"accuracy": 1.0, "error": 0.0}


class Entrant(NamedTuple):
    """One competitor: its cell, and how it starts."""

    cell: str
    start: str = "torch"


class Curves(NamedTuple):
    """What every seed scored, after how many updates, and at which rate it learned."""

    steps: list[int]
    scores: list[list[float]]  # one list a seed
    rates: list[float]  # one a seed
    unit: str  # accuracy or error
    chance: float  # the score of guessing

    def ways(self) -> list[list[float]]:
        """Return how far each seed has come, from guessing, 0, to perfect, 1, at every look."""
        best = PERFECT[self.unit]
        return [[(s - self.chance) / (best - self.chance) for s in seed] for seed in self.scores]

    def ends(self) -> list[float]:
        """Return what every seed scored last."""
        return [seed[-1] for seed in self.scores]

    def solved(self) -> int:
        """Return how many seeds end nearly perfect."""
        return sum(way[-1] > SOLVED for way in self.ways())

    def until(self, most: int) -> Curves:
        """Return the curves of at most so many updates, of one look at least."""
        looks = max(1, bisect_right(self.steps, most))
        return self._replace(steps=self.steps[:looks], scores=[one[:looks] for one in self.scores])


def tasks_run() -> list[str]:
    """Return the tasks of the shipped race, in its order."""
    return list(dict.fromkeys(row["task"] for row in shipped_rows("race")))


def updates_of(task: str) -> int:
    """Return how many updates everybody was given on a task; some got more."""
    updates: list[int] = [r["steps"][-1] for r in shipped_rows("race") if r["task"] == task]
    return min(updates)


def all_rates() -> list[float]:
    """Return every learning rate that somebody ran at, the highest first."""
    return sorted({row["rate"] for row in shipped_rows("race")}, reverse=True)


def rates_run(task: str, entrant: Entrant, rows: Iterable[Row] | None = None) -> list[float]:
    """Return the learning rates of an entrant, the highest first; none if it never ran."""
    return sorted((row["rate"] for row in _own(task, entrant, rows)), reverse=True)


def curves_at(
    task: str, entrant: Entrant, rate: float, rows: Iterable[Row] | None = None
) -> Curves:
    """Look up the ten seeds of one point."""
    for row in _own(task, entrant, rows):
        if row["rate"] == rate:
            scores = [[score / SCALE for score in seed] for seed in row["scores"]]
            return Curves(row["steps"], scores, [rate] * len(scores), *UNITS[task.split()[0]])
    raise not_run(f"{task} by {' '.join(entrant)} at rate {rate:g}", "race")


def best_curves(
    task: str, entrant: Entrant, most: int | None = None, rows: Iterable[Row] | None = None
) -> Curves:
    """Look up an entrant at its best rate, after no more than `most` updates.

    The rate of each half of the seeds is the one at which the other half got farthest.
    """
    rates = rates_run(task, entrant, rows)
    if not rates:
        raise not_run(f"{task} by {' '.join(entrant)}", "race")
    every = [curves_at(task, entrant, rate, rows) for rate in rates]
    if most is not None:
        every = [one.until(most) for one in every]
    seeds = range(len(every[0].scores))
    other_half = [_best(every, [seed for seed in seeds if seed % 2 != half]) for half in (0, 1)]
    chosen = [other_half[seed % 2] for seed in seeds]
    return every[0]._replace(
        scores=[one.scores[seed] for seed, one in enumerate(chosen)],
        rates=[one.rates[seed] for seed, one in enumerate(chosen)],
    )


def ends_of(
    entrants: Mapping[str, Entrant], tasks: Sequence[str]
) -> dict[str, list[list[float] | None]]:
    """Look up how far every seed came at its best rate: a list a task, None where nobody ran."""
    ends: dict[str, list[list[float] | None]] = {}
    for name, who in entrants.items():
        ran = [best_curves(task, who) if rates_run(task, who) else None for task in tasks]
        ends[name] = [found and [way[-1] for way in found.ways()] for found in ran]
    return ends


def _best(every: Sequence[Curves], seeds: Sequence[int]) -> Curves:
    """Return the point at which these seeds came farthest, or as far and sooner.

    A seed below guessing counts as 0.
    """

    def reached(one: Curves) -> tuple[float, float]:
        every_way = one.ways()
        ways = [[max(0.0, look) for look in every_way[seed]] for seed in seeds]
        return fmean(way[-1] for way in ways), fmean(map(fmean, ways))

    return max(every, key=reached)


def _own(task: str, entrant: Entrant, rows: Iterable[Row] | None) -> list[Row]:
    if rows is None:
        return _shipped().get((task, entrant), [])
    wanted = {"task": task, **entrant._asdict()}
    return [row for row in rows if wanted.items() <= row.items()]


@cache
def _shipped() -> dict[tuple[str, Entrant], list[Row]]:
    """Return the shipped rows by who ran what: a slider that moves asks fifteen times."""
    found: dict[tuple[str, Entrant], list[Row]] = {}
    for row in shipped_rows("race"):
        found.setdefault((row["task"], Entrant(row["cell"], row["start"])), []).append(row)
    return found
