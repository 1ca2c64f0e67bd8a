"""A brushed span gives the units that stand out there, and the places that look like it."""

from __future__ import annotations

import pytest
import torch

from course_utils.analysis.units.search import Unit
from course_utils.analysis.units.selectivity import area_under_curve
from course_utils.analysis.units.spans import ask_span, reading_of

T, H = 60, 7


@pytest.fixture
def shown() -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(5)
    h, c = (torch.rand(T, H, generator=generator) for _ in range(2))
    c[20:26, 3] = torch.linspace(2, 3, 6)
    c[40:43, 3] = 2.9  # as far out as the span, and short
    c[50:54, 3] = 2.7
    return [h, c]


def test_the_best_unit_and_its_other_places(shown):
    """Catches a unit of the wrong source, the span among its other places, an end off by one."""
    answer = ask_span(reading_of([(0, "h"), (0, "c")], shown), 20, 25)
    best = answer.found[0]
    assert best.unit == Unit(0, "c", 3)
    assert best.side == 1
    marks = torch.zeros(T, dtype=torch.bool)
    marks[20:26] = True
    assert best.area == pytest.approx(area_under_curve(shown[1], marks)[3].item())
    assert best.elsewhere == [(50, 53), (40, 42)]


def test_low_units_count_as_much(shown):
    """Catches a search that misses a unit which is silent in the span only."""
    mirrored = [-each for each in shown]
    answer = ask_span(reading_of([(0, "h"), (0, "c")], mirrored), 20, 25)
    assert (answer.found[0].unit, answer.found[0].side) == (Unit(0, "c", 3), -1)
    assert answer.found[0].elsewhere == [(50, 53), (40, 42)]


def test_luck_is_asked_with_spans_of_the_same_length(shown):
    """Catches luck from the span itself: with noise alone, truth must look like luck."""
    noise = [torch.rand(T, H, generator=torch.Generator().manual_seed(n)) for n in (1, 2)]
    answer = ask_span(reading_of([(0, "h"), (0, "c")], noise), 20, 25)
    assert answer.luck.min() <= answer.found[0].area <= answer.luck.max() + 0.05
    assert ask_span(reading_of([(0, "h"), (0, "c")], shown), 20, 25).found[0].area > 0.9


@pytest.mark.parametrize(("first", "last"), [(-1, 3), (5, 4), (0, T - 1), (50, T)])
def test_a_span_outside_is_refused(shown, first, last):
    """Catches a span that wraps round, and a comparison with nothing."""
    with pytest.raises(ValueError, match="a span lies in the text"):
        ask_span(reading_of([(0, "h"), (0, "c")], shown), first, last)
