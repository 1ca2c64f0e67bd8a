"""How far the counting networks count, seed by seed and arm by arm."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median
from typing import NamedTuple

from course_utils.results.files import Row, not_run, shipped_rows


class Reached(NamedTuple):
    """How far each seed of a recipe counts, after training up to `largest`."""

    largest: int
    longest: list[int]  # one per seed: right from n = 1 up to here
    furthest: list[int]  # the last n that is right at all

    def seeds_to(self, n: int) -> int:
        """Return how many seeds are right at least up to n."""
        return sum(reached >= n for reached in self.longest)


def reached_by(recipe: str, rows: Iterable[Row] | None = None) -> Reached:
    """Look up one recipe's seeds."""
    rows = shipped_rows("counting_race") if rows is None else rows
    own = sorted((row for row in rows if row["recipe"] == recipe), key=lambda row: row["seed"])
    if not own:
        raise not_run(recipe, "counting_race")
    return Reached(own[0]["largest"], *([row[k] for row in own] for k in ("longest", "furthest")))


class Point(NamedTuple):
    """An arm of the race at one learning rate: how far each of its seeds counts."""

    arm: str
    rate: float
    longest: list[int]  # right from n = 1 up to here

    @property
    def median(self) -> float:
        """Return how far half of the seeds get."""
        return median(self.longest)


def counting_arms(rows: Iterable[Row] | None = None) -> dict[str, list[Point]]:
    """Look up every point of every arm."""
    arms: dict[str, list[Point]] = {}
    for row in shipped_rows("counting_arms") if rows is None else rows:
        arms.setdefault(row["arm"], []).append(Point(*(row[k] for k in Point._fields)))
    return arms


def best_points(arms: dict[str, list[Point]]) -> dict[str, Point]:
    """Return every arm at the learning rate at which half of its seeds get furthest."""
    return {name: max(points, key=lambda point: point.median) for name, points in arms.items()}
