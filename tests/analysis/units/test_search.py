"""A search over all gates, states and layers is what asking each unit alone would find."""

from __future__ import annotations

import pytest
import torch

from course_utils.analysis.units import sample
from course_utils.analysis.units.responses import responses
from course_utils.analysis.units.sample import sample_responses
from course_utils.analysis.units.search import Label, Labelled, Unit, search_units
from course_utils.analysis.units.selectivity import area_under_curve, correlation, ranks_of
from course_utils.models import RecurrentLM

V, H = 7, 5


def shown_by(model: RecurrentLM, tokens: torch.Tensor, layer: int, of: str) -> torch.Tensor:
    return torch.cat(list(responses(model, tokens, of, layer)))


def test_ranks_share_what_is_tied():
    """Catches the first rank for all that are equal, and one column's ties in another."""
    scores = torch.tensor([[3.0, 1.0], [1.0, 2.0], [3.0, 0.0], [0.0, 5.0]])
    assert ranks_of(scores).T.tolist() == [[3.5, 2.0, 3.5, 1.0], [2.0, 3.0, 1.0, 4.0]]


@pytest.mark.parametrize("cell", ["lstm", "gru"])
@pytest.mark.parametrize("lanes", [1, 3])
def test_a_sample_is_that_of_reading_each_lane(monkeypatch, cell, lanes):
    """Catches lanes and times mixed up, a state lost between pieces, a lane's cold start."""
    monkeypatch.setattr(sample, "WARM", 4)
    monkeypatch.setattr(sample, "AT_ONCE", 21)
    model = RecurrentLM(V, cell, width=3, hidden=H, layers=2)
    tokens = torch.randint(0, V, (152,))
    found = sample_responses(model, tokens, most=40, lanes=lanes)
    length = 152 // lanes
    assert len(found.places) == 40
    assert (found.places.diff() > 0).all()
    if lanes > 1:
        assert (found.places % length >= 4).all()
    for (layer, of), shown in zip(found.sources, found.shown, strict=True):
        lane_by_lane = [
            shown_by(model, tokens[first : first + length], layer, of)
            for first in range(0, lanes * length, length)
        ]
        torch.testing.assert_close(shown, torch.cat(lane_by_lane)[found.places])


def test_the_tokens_are_from_all_over_the_text():
    """Catches a sample of the beginning: what a text says later is as much the text."""
    model = RecurrentLM(V, "lstm", width=3, hidden=2)
    places = sample_responses(model, torch.randint(0, V, (5000,)), most=50).places
    assert (places // 100).tolist() == list(range(50))
    every = sample_responses(model, torch.randint(0, V, (30,)), most=50).places
    assert every.tolist() == list(range(30))


def texts_with_labels(model: RecurrentLM) -> list[Labelled]:
    """Label two texts by what one unit of layer 1 does, and one of layer 0."""
    texts = []
    for count in (911, 797):
        tokens = torch.randint(0, V, (count,))
        cell = shown_by(model, tokens, 1, "c")[:, 3]
        gate = shown_by(model, tokens, 0, "f")[:, 2]
        counted = torch.rand(count) < 0.5
        numbers = torch.where(counted, -gate, 99.0)
        labels = {"up": Label(cell > cell.median()), "gate": Label(numbers, counted)}
        texts.append(Labelled(tokens, labels))
    return texts


def test_planted_labels_are_found_beside_luck():
    """Catches a unit of another layer or gate, tokens that do not count, the text that chose."""
    model = RecurrentLM(V, "lstm", width=3, hidden=H, layers=2)
    texts = texts_with_labels(model)
    found = search_units(model, *texts, shuffles=7)
    assert (found.found["up"].unit, found.found["up"].side) == (Unit(1, "c", 3), 1)
    assert (found.found["gate"].unit, found.found["gate"].side) == (Unit(0, "f", 2), -1)
    assert found.found["up"].score == pytest.approx(1)
    assert found.found["gate"].score == pytest.approx(1)
    assert found.found["up"].marked == texts[1].labels["up"].values.sum()
    for one in found.found.values():
        assert len(one.luck) == 7
        assert one.luck.max() < 0.75
    assert found.found["up"].luck_chosen_at.min() > 0.5


def test_every_score_is_that_of_one_unit_alone():
    """Catches scores in another order, or of the text that chose."""
    model = RecurrentLM(V, "lstm", width=3, hidden=H, layers=2)
    texts = texts_with_labels(model)
    found = search_units(model, *texts, shuffles=2)
    tokens, labels = texts[1]
    assert found.scores["up"].shape == (12, H)
    for place, (layer, of) in enumerate(found.sources):
        shown = shown_by(model, tokens, layer, of)
        torch.testing.assert_close(
            found.scores["up"][place], area_under_curve(shown, labels["up"].values)
        )
        counted = labels["gate"].counted
        expected = correlation(shown[counted], labels["gate"].values[counted])
        torch.testing.assert_close(found.scores["gate"][place], expected)
