"""The race of n-grams and an LSTM over more and more source code."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median
from typing import NamedTuple

from course_utils.results.files import Row, shipped_rows


class CharacterRace(NamedTuple):
    """Bits per character: n-grams on the whole text by order, and every model by text size."""

    by_order: dict[int, float]
    best: int  # the order that did best on the validation part
    by_size: dict[str, dict[int, float]]  # model -> characters read -> median bits over seeds
    seeds: dict[int, list[float]]  # characters read -> the LSTM's bits, one per seed


def character_race(rows: Iterable[Row] | None = None) -> CharacterRace:
    """Look up how many bits each model needs after how many characters."""
    rows = shipped_rows("characters_race") if rows is None else list(rows)
    whole = [row for row in rows if row["share"] == 1 and "valid" in row]
    orders = {int(row["model"].partition("-")[0]): row for row in whole}
    best = min(orders, key=lambda n: orders[n]["valid"])
    found: dict[str, dict[int, list[float]]] = {}
    for row in sorted(rows, key=lambda row: row["characters"]):
        found.setdefault(row["model"], {}).setdefault(row["characters"], []).append(row["bits"])
    by_size = {
        model: {size: median(own) for size, own in sizes.items()} for model, sizes in found.items()
    }
    by_order = {n: orders[n]["bits"] for n in sorted(orders)}
    return CharacterRace(by_order, best, by_size, found["lstm"])
