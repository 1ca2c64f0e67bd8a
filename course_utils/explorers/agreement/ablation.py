"""Silence or hold any units and watch the table of all kinds of sentences."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from course_utils.analysis.agreement.ablation import Hold, rights_with
from course_utils.data.agreement.balanced import agreement_items
from course_utils.data.agreement.item import AgreementItem
from course_utils.data.agreement.lexicon import PLURAL
from course_utils.explorers.agreement.shared import (
    NETWORKS,
    NUMBER_UNIT,
    OTHER_UNITS,
    SHOWN,
    network,
    units_of,
)
from course_utils.explorers.machinery.controls import choice, slider, text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.agreement.rates import RateTable, RateTableDrawing
from course_utils.plots.glyphs import drawable
from course_utils.plots.style import NETWORKS as NAMES

FRAMES = 4  # of each kind of sentence: few, so that the table answers at once
COLUMNS = ("singular", "plural", "singular, attractor", "plural, attractor")


def explore_ablation(units: str = str(NUMBER_UNIT)) -> Explorer:
    """Hold units of a trained network at a value and see what it gets wrong."""
    return Explorer(
        "What fails without these units?",
        {
            "typed": text("units", units, "such as 3, 14; then Enter", OTHER_UNITS),
            "value": slider("held at", -1.0, 1.0, 0.0, 0.25),
            "cell": choice("network", [(NAMES[cell], cell) for cell in NETWORKS], "lstm"),
        },
        held_table,
        RateTableDrawing(len(SHOWN), len(COLUMNS)),
        tabulate_rates,
    )


def held_table(typed: str, value: float, cell: str) -> RateTable:
    """Return the rates of every kind and condition while some units are held."""
    model = network(cell)
    units, note = units_of(typed, model)
    before = _table_of(_rights(cell))
    if not units:
        return RateTable(
            drawable(note, 60) if note else "Nothing is held: the whole network",
            SHOWN,
            COLUMNS,
            before,
        )
    now = _table_of(rights_with(model, _items(), Hold(units, value)))
    fall = float(np.nanmean(before) - np.nanmean(now))
    what = f"unit {units[0]}" if len(units) == 1 else f"{len(units)} units"
    headline = f"With {what} held at {value:g}, {100 * fall:.0f} of 100 answers are lost"
    if fall < 0.005:
        headline = f"With {what} held at {value:g}, nothing is lost"
    return RateTable(drawable(note, 60) if note else headline, SHOWN, COLUMNS, now, before)


def _table_of(rights: Tensor) -> np.ndarray:
    """Return the mean of every kind in every condition; NaN where a kind has no attractor."""
    table = np.full((len(SHOWN), len(COLUMNS)), np.nan)
    places = _places()
    for (row, column), where in places.items():
        table[row, column] = rights[where].mean().item()
    return table


@lru_cache(maxsize=1)
def _items() -> list[AgreementItem]:
    return agreement_items("test", SHOWN, FRAMES)


@lru_cache(maxsize=1)
def _places() -> dict[tuple[int, int], Tensor]:
    found: dict[tuple[int, int], list[int]] = {}
    for n, item in enumerate(_items()):
        column = (item.condition[0] == PLURAL) + 2 * bool(item.attractors)
        found.setdefault((SHOWN.index(item.construction), column), []).append(n)
    return {key: torch.tensor(value) for key, value in found.items()}


@lru_cache(maxsize=3)
def _rights(cell: str) -> Tensor:
    return rights_with(network(cell), _items(), Hold([]))


def tabulate_rates(table: RateTable) -> Table:
    """Return every rate, and what it was before."""
    rows = []
    for row, kind in enumerate(table.rows):
        for column, condition in enumerate(table.columns):
            now = float(table.values[row, column])
            before = now if table.before is None else float(table.before[row, column])
            if not np.isnan(now):
                rows.append((kind, condition, before, now))
    return Table(("kind", "condition", "whole", "held"), rows)
