"""The search for a number unit, with the labels and with labels that mean nothing."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor

from course_utils.analysis.agreement.story import number_text
from course_utils.analysis.units.responses import responses
from course_utils.analysis.units.selectivity import area_under_curve
from course_utils.data.agreement.corpus import whole_items
from course_utils.explorers.agreement.shared import network
from course_utils.explorers.machinery.controls import choice, slider
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.agreement.units import RankedUnits, RankedUnitsDrawing

MOST, SHUFFLES = 120, 40


def explore_unit_luck() -> Explorer:
    """Look for the unit that tells singular from plural, with true labels or shuffled ones."""
    return Explorer(
        "How good does luck look?",
        {
            "shuffle": slider("shuffle (0: true labels)", 0, SHUFFLES, 0, 1),
            "sentences": slider("sentences used", 12, MOST, MOST, 12),
            "of": choice("look at", [("the cell c", "c"), ("the output h", "h")]),
        },
        searched,
        RankedUnitsDrawing(),
        tabulate_units,
    )


def searched(shuffle: int, sentences: int, of: str) -> RankedUnits:
    """Return how well each unit tells the numbers apart on some sentences; 0.5 is chance."""
    shown, plural = _seen(of)
    picked = _dealt(len(plural), 0)[:sentences]
    shown, plural = shown[picked], plural[picked]
    labels = plural if shuffle == 0 else plural[_dealt(sentences, shuffle)]
    values = _strength(shown, labels)
    best = int(values.argmax())
    what = "the true labels" if shuffle == 0 else "labels that mean nothing"
    headline = f"With {what} the best of {len(values)} units reaches {values[best]:.2f}"
    luck = torch.tensor(_luck(of, sentences))
    return RankedUnits(headline, "tells the numbers apart", values.numpy(), luck.numpy(), 0.5, 1.03)


def _strength(shown: Tensor, labels: Tensor) -> Tensor:
    """Return the area under the curve on whichever side it is above one half, (H,)."""
    return 0.5 + (area_under_curve(shown, labels) - 0.5).abs()


@lru_cache(maxsize=32)
def _luck(of: str, sentences: int) -> tuple[float, ...]:
    """Return the best unit under every shuffle of the labels."""
    shown, plural = _seen(of)
    picked = _dealt(len(plural), 0)[:sentences]
    shown, plural = shown[picked], plural[picked]
    orders = (_dealt(sentences, number) for number in range(1, SHUFFLES + 1))
    return tuple(_strength(shown, plural[order]).max().item() for order in orders)


@lru_cache(maxsize=2)
def _seen(of: str) -> tuple[Tensor, Tensor]:
    """Return every unit's value before the verb of each sentence, and which are plural."""
    text = number_text(whole_items("validation", MOST))
    shown = torch.cat(list(responses(network("lstm"), text.tokens, of)))
    return shown[text.counted], text.marks[text.counted]


def _dealt(count: int, number: int) -> Tensor:
    return torch.randperm(count, generator=torch.Generator().manual_seed(number))


def tabulate_units(units: RankedUnits) -> Table:
    """Return every unit's number, the strongest first."""
    order = (-units.values).argsort(kind="stable")
    return Table(("unit", units.measure), [(int(n), float(units.values[n])) for n in order])
