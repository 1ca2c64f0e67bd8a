"""What was found about character models: bits, statements, cells held, a network learning."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median
from typing import NamedTuple

from course_utils.results.files import Row, not_run, shipped_rows

COLUMNS = ("cell", "readout")


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


class Compiled(NamedTuple):
    """One way of drawing: what became of the statements, as shares."""

    model: str
    temperature: float
    top_k: int  # 0: no cut
    top_p: float  # 1: no cut
    compiled: float
    refused: float
    unfinished: float
    copied: float  # of those that compile: they stand in the text that was read


class Untrained(NamedTuple):
    """The best of five untrained networks for a label: its best cell, its readout."""

    cell: float
    readout: float


class Frame(NamedTuple):
    """A network at one step of its training."""

    network: str
    steps: int
    bits: float
    compiled: float
    cell: float  # area of its best cell for quotes
    readout: float
    page: str


def characters_written(rows: Iterable[Row] | None = None) -> list[Compiled]:
    """Look up which statements compile, of the LSTM and then of the n-gram."""
    rows = shipped_rows("characters_written") if rows is None else list(rows)
    return [Compiled(**row) for row in rows]


def characters_untrained(rows: Iterable[Row] | None = None) -> dict[str, Untrained]:
    """Look up what the cells of untrained networks follow: the best of the seeds, by label."""
    own = [row for row in _cells(rows) if row["kind"] == "untrained"]
    names = dict.fromkeys(row["label"] for row in own)
    return {
        name: Untrained(*(max(row[of] for row in own if row["label"] == name) for of in COLUMNS))
        for name in names
    }


def characters_held(rows: Iterable[Row] | None = None) -> list[float]:
    """Look up how many fewer strings are closed when each cell is held, from cell 0 on."""
    found = {row["held"]: row["fewer"] for row in _cells(rows) if row["kind"] == "held"}
    return [found[cell] for cell in sorted(found)]


def characters_film(rows: Iterable[Row] | None = None) -> list[Frame]:
    """Look up the frames of a network that learns, the shipped network last."""
    rows = shipped_rows("characters_film") if rows is None else list(rows)
    return [Frame(**row) for row in rows]


def _cells(rows: Iterable[Row] | None) -> list[Row]:
    found = shipped_rows("characters_cells") if rows is None else list(rows)
    if not found:
        raise not_run("no network", "characters_cells")
    return found
