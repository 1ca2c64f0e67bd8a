"""Brush a stretch of a text: which units are high there and nowhere else, and where else are they?

After the question that LSTMVis asks (Strobelt et al. 2018), with luck beside the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.units.sample import Source
from course_utils.analysis.units.search import Unit
from course_utils.analysis.units.selectivity import areas_of, ranks_of

SHIFTS = 40  # of the span round the text: what luck finds


class Reading(NamedTuple):
    """What every unit shows at every token of a short text."""

    sources: list[Source]  # (layer, gate or state) of every row of numbers
    shown: Tensor  # (T, N) the units of all sources side by side
    ranks: Tensor  # (T, N) what a span is asked with: made once
    units: list[Unit]  # (N,)


class InSpan(NamedTuple):
    """A unit that stands out in a span."""

    unit: Unit
    side: int  # 1: high there, -1: low
    area: float  # how often a token of the span stands out against one outside
    level: float  # what it shows at the span's middle token, in rank
    elsewhere: list[tuple[int, int]]  # other stretches where it is as far out, the longest first


class SpanAnswer(NamedTuple):
    """The units that stand out most, and how far the best goes for spans put anywhere."""

    found: list[InSpan]
    luck: Tensor  # (shifts,) the best area of any unit for a span of the same length elsewhere


def reading_of(sources: Sequence[Source], shown: Sequence[Tensor]) -> Reading:
    """Return a reading from what each source shows, (T, H) each."""
    rows = torch.cat(list(shown), dim=1).float()
    units = [
        Unit(layer, of, number)
        for (layer, of), part in zip(sources, shown, strict=True)
        for number in range(part.shape[1])
    ]
    return Reading(list(sources), rows, ranks_of(rows), units)


def ask_span(
    reading: Reading, first: int, last: int, best: int = 5, shifts: int = SHIFTS
) -> SpanAnswer:
    """Return the units that stand out at tokens `first` to `last` (from 0, both in the span)."""
    T = len(reading.shown)
    if not 0 <= first <= last < T or last - first + 1 >= T:
        raise ValueError(
            f"a span lies in the text and leaves some of it out: {first} to {last} does not fit "
            f"into places 0 to {T - 1}"
        )
    marks = torch.zeros(T, dtype=torch.bool)
    marks[first : last + 1] = True
    by = [round((n + 1) * T / (shifts + 1)) for n in range(shifts)]
    areas = areas_of(reading.ranks, torch.stack([marks, *(marks.roll(n) for n in by)]))
    strength = (areas - 0.5).abs()
    order = strength[0].argsort(descending=True, stable=True)[:best]
    found = [_in_span(reading, int(n), areas[0, n].item(), first, last) for n in order]
    return SpanAnswer(found, 0.5 + strength[1:].max(dim=1).values)


def _in_span(reading: Reading, number: int, area: float, first: int, last: int) -> InSpan:
    side = 1 if area >= 0.5 else -1
    shown = side * reading.shown[:, number]
    level = shown[first : last + 1].median()
    out = (shown >= level).tolist()
    stretches, begun = [], None
    for place, is_out in enumerate([*out, False]):
        if is_out and begun is None:
            begun = place
        elif not is_out and begun is not None:
            if place <= first or begun > last:
                stretches.append((begun, place - 1))
            begun = None
    stretches.sort(key=lambda stretch: (stretch[0] - stretch[1], stretch[0]))
    return InSpan(reading.units[number], side, max(area, 1 - area), side * level.item(), stretches)
