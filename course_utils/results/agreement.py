"""What ten seeds of every cell do on number agreement."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median
from typing import Any, NamedTuple

from course_utils.results.files import Row, not_run, shipped_rows


class Seeds(NamedTuple):
    """The networks of one kind, one row a seed."""

    rows: list[Row]

    def every(self, name: str) -> list[float]:
        """Return one measure of every seed."""
        return [row[name] for row in self.rows]

    def median(self, name: str) -> float:
        """Return the median of one measure over the seeds."""
        return float(median(self.every(name)))

    def kind(self, name: str, at: int) -> list[float]:
        """Return for every seed its right answers on a kind of sentence.

        `at` 0: of all its sentences; 1: of those in which all other nouns mislead; 2: the mean
        margin in nats, in place of right answers; 3: right answers with the unit silenced.
        """
        return [row["kinds"][name][at] for row in self.rows]

    def cost(self, name: str) -> float:
        """Return what silencing the chosen unit costs on a kind of sentence, the median."""
        pairs = zip(self.kind(name, 0), self.kind(name, 3), strict=True)
        return float(median(own - silenced for own, silenced in pairs))

    def place(self, name: str) -> list[float]:
        """Return how often each seed knows what is built at a place, against all others."""
        return [row["places"][name] for row in self.rows]

    def deciding(self, least: float = 0.8) -> int:
        """Return in how many seeds one moved unit turns at least this share of verbs."""
        return sum(moved >= least for moved in self.every("moved"))


def agreement_seeds(rows: Iterable[Row] | None = None) -> dict[str, Seeds]:
    """Look up the seeds of every kind of network."""
    found: dict[str, list[Any]] = {}
    for row in shipped_rows("agreement_race") if rows is None else rows:
        found.setdefault(row["kind"], []).append(row)
    if not found:
        raise not_run("no network", "agreement_race")
    return {kind: Seeds(own) for kind, own in found.items()}
