"""Lecture 08's taggers and classifiers: directions, sizes, pooling, labels, the treebank."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import groupby

from course_utils.results.files import Row, shipped_rows

Wanted = tuple[tuple[str, object], ...]

COUNTS = "counts"  # no network: each word's usual tag, or naive Bayes over a sentence's words


def accuracies(rows: Iterable[Row] | None = None, **wanted: object) -> list[float]:
    """Return the accuracies of the matching rows, in order of seed."""
    own = _rows(rows, wanted)
    return [row["accuracy"] for row in sorted(own, key=lambda row: row["seed"])]


def settled(rows: Iterable[Row] | None = None, **wanted: object) -> list[float]:
    """Return every seed's accuracy after the steps that its validation part chose."""
    return [row["accuracy"] for row in chosen(rows, **wanted)]


def chosen(rows: Iterable[Row] | None = None, **wanted: object) -> list[Row]:
    """Return for every seed the run that is best on the validation part; ties: the shortest."""
    own = sorted(_rows(rows, wanted), key=lambda row: (row["seed"], row["steps"]))
    return [
        max(runs, key=lambda row: row["valid"])
        for _, runs in groupby(own, key=lambda row: row["seed"])
    ]


def settings_of(name: str, **wanted: object) -> list[int]:
    """Return the values that a setting takes in the matching shipped rows, in rising order."""
    return sorted({row[name] for row in _rows(None, wanted) if name in row})


def _rows(rows: Iterable[Row] | None, wanted: dict[str, object]) -> list[Row]:
    asked = tuple(sorted(wanted.items()))
    own = _shipped(asked) if rows is None else _matching(rows, asked)
    if not own:
        raise LookupError(f"no run matches {wanted}: course train tagging_race makes them all")
    return own


@cache
def _shipped(wanted: Wanted) -> list[Row]:
    """Look once: a control that moves asks for the same rows again and again."""
    return _matching(shipped_rows("tagging_race"), wanted)


def _matching(rows: Iterable[Row], wanted: Wanted) -> list[Row]:
    return [row for row in rows if all(row.get(name) == value for name, value in wanted)]
