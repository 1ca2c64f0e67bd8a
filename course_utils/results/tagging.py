"""Lecture 08's taggers and classifiers: directions, sizes, pooling, labels, the treebank."""

from __future__ import annotations

from collections.abc import Iterable

from course_utils.results.files import Row, shipped_rows


def accuracies(rows: Iterable[Row] | None = None, **wanted: object) -> list[float]:
    """Return the accuracies of the matching rows, in order of seed."""
    own = _rows(rows, wanted)
    return [row["accuracy"] for row in sorted(own, key=lambda row: row["seed"])]


def settings_of(name: str, **wanted: object) -> list[int]:
    """Return the values that a setting takes in the matching shipped rows, in rising order."""
    return sorted({row[name] for row in _rows(None, wanted)})


def _rows(rows: Iterable[Row] | None, wanted: dict[str, object]) -> list[Row]:
    rows = shipped_rows("tagging_race") if rows is None else rows
    own = [row for row in rows if all(row.get(k) == v for k, v in wanted.items())]
    if not own:
        raise LookupError(f"no run matches {wanted}: course train tagging_race makes them all")
    return own
