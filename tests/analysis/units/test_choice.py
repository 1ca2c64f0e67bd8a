"""A unit is chosen on one text and reported on another; pairs, NumPy and plain loops confirm it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_utils.analysis.units import selectivity
from course_utils.analysis.units.choice import Marked, choose_unit, dealt_out, unit_scores
from course_utils.analysis.units.responses import responses
from course_utils.analysis.units.selectivity import Areas, area_under_curve, correlation
from course_utils.models import RecurrentLM

V = 7


def everything(tokens: torch.Tensor, marks: torch.Tensor) -> Marked:
    return Marked(tokens, marks, torch.ones(len(tokens)).bool())


def by_pairs(scores: torch.Tensor, marks: torch.Tensor) -> float:
    pairs = [
        1.0 if x > y else 0.5 if x == y else 0.0 for x in scores[marks] for y in scores[~marks]
    ]
    return sum(pairs) / len(pairs)


def test_the_area_counts_pairs():
    """Catches ties counted whole, and the wrong end of the scale."""
    scores = torch.randint(0, 4, (23, 3)).double()  # many ties
    marks = torch.randint(0, 2, (23,)).bool()
    expected = [by_pairs(column, marks) for column in scores.T]
    assert area_under_curve(scores, marks).tolist() == pytest.approx(expected, abs=1e-12)
    with pytest.raises(ValueError, match="both are needed"):
        area_under_curve(scores, torch.ones(23).bool())


@pytest.mark.parametrize("pieces", [[23], [1, 5, 17], [20, 3]])
def test_areas_of_pieces_are_those_of_the_whole(pieces):
    """Catches edges taken from too little text, ties in two bins, marks of another piece."""
    scores = torch.randint(-3, 4, (23, 3)).double() + torch.randint(0, 2, (23, 3)) * torch.rand(3)
    marks = torch.randint(0, 2, (2, 23)).bool()
    found = Areas()
    for rows, marked in zip(scores.split(pieces), marks.split(pieces, dim=1), strict=True):
        found.add(rows, marked)
    expected = torch.stack([area_under_curve(scores, one) for one in marks])
    torch.testing.assert_close(found.values(), expected)


def test_a_long_texts_areas_are_close_however_values_drift(monkeypatch):
    """Catches edges that a text leaves behind, which would make all later values ties."""
    monkeypatch.setattr(selectivity, "EDGES", 256)
    scores = torch.randn(20_000, 5)
    marks = torch.rand(1, 20_000) < 0.3
    scores += marks[0, :, None] * torch.tensor([0.0, 0.1, 0.5, 1.0, -2.0])
    found = Areas()
    for first in range(0, 20_000, 300):
        found.add(scores[first : first + 300], marks[:, first : first + 300])
    exact = area_under_curve(scores, marks[0])
    assert (found.values()[0] - exact).abs().max() < 1 / 256


def test_correlations_are_numpys():
    """Catches sums that lose their digits far from zero, and units that do not vary."""
    scores, numbers = 1e6 + torch.randn(31, 3).double(), torch.randn(31).double() - 1e7
    scores[:, 1] += numbers
    scores[:, 2] = 4.0  # does not vary
    expected = [np.corrcoef(scores[:, k], numbers)[0, 1] for k in (0, 1)]
    assert correlation(scores, numbers).tolist() == pytest.approx([*expected, 0.0], abs=1e-9)
    with pytest.raises(ValueError, match="same number"):
        correlation(scores, torch.ones(31))


@pytest.mark.parametrize(("cell", "names"), [("elman", "ha"), ("lstm", "hcifgo"), ("gru", "hrzn")])
@pytest.mark.parametrize("layer", [0, 1])
def test_responses_in_pieces_are_those_of_one_reading(cell, names, layer):
    """Catches a state that is lost between pieces, another layer's gate, c and h mixed up."""
    model = RecurrentLM(V, cell, width=3, hidden=5, layers=2)
    tokens = torch.randint(0, V, (23,))
    whole = model.trace(tokens[:, None])[layer]
    for name in names:
        found = torch.cat(list(responses(model, tokens, name, layer, piece=4)))
        torch.testing.assert_close(found, getattr(whole, name)[:, 0].detach())
    before = torch.cat(list(responses(model, tokens, lambda now, then: then.h, layer, piece=4)))
    torch.testing.assert_close(before[1:], whole.h[:-1, 0].detach())
    assert not before[0].any()
    with pytest.raises(ValueError, match="has no 'q'"):
        next(responses(model, tokens, "q"))


@pytest.mark.parametrize("side", ["above", "below", "either"])
def test_a_planted_unit_is_found_beside_luck(side):
    """Catches the wrong end of the scale, luck that knows the marks, a report on its own text."""
    model = RecurrentLM(V, "gru", width=4, hidden=6)
    unit, sign = 2, -1 if side == "below" else 1
    with torch.no_grad():  # unit 2 goes up at token 0, or down
        model.recurrent.weight_ih_l0[:, 0] = 0  # nothing else hears that number
        model.recurrent.weight_ih_l0[2 * 6 + unit] = 0
        model.recurrent.weight_ih_l0[2 * 6 + unit, 0] = sign * 9.0
        model.embedding.weight[:, 0] = 0.0
        model.embedding.weight[0, 0] = 1.0
    texts = [torch.randint(0, V, (count,)) for count in (211, 307)]
    found = choose_unit(model, *(everything(t, t == 0) for t in texts), "n", side=side)
    assert (found.unit, found.side) == (unit, sign)
    assert found.score > 0.99
    assert found.chosen_at > 0.99
    assert len(found.luck) == 20
    assert abs(found.luck.mean() - 0.5) < 0.05
    assert found.luck_chosen_at.mean() > 0.53  # the best of six is flattered
    shown = torch.cat(list(responses(model, texts[1], "n")))
    exact = sign * (area_under_curve(shown[:, [unit]], texts[1] == 0).item() - 0.5) + 0.5
    assert found.score == pytest.approx(exact)


def test_a_number_is_followed_where_it_counts():
    """Catches tokens that do not count in the comparison, and an area where a number is meant."""
    model = RecurrentLM(V, "lstm", width=4, hidden=6)
    texts = []
    for count in (211, 307):
        tokens = torch.randint(0, V, (count,))
        numbers = torch.cat(list(responses(model, tokens, "c")))[:, 3]
        counted = torch.rand(count) < 0.5
        texts.append(Marked(tokens, torch.where(counted, -numbers, 99.0), counted))
    found = choose_unit(model, *texts, "c", dealt="shifted")
    assert (found.unit, found.side) == (3, -1)
    assert found.score == pytest.approx(1.0)
    assert unit_scores(model, texts[0], "c")[3] == pytest.approx(-1.0)
    assert found.luck.abs().max() < 0.5


def test_labels_dealt_out_are_the_same_ones_elsewhere():
    """Catches a control that changes how many marks there are, and a shift that hardly shifts."""
    marks = torch.rand(200) < 0.2
    text = Marked(torch.zeros(200).long(), marks, torch.ones(200).bool())
    for how in ("shuffled", "shifted"):
        dealt = dealt_out(text, 30, how, seed=3)
        assert (dealt.sum(dim=1) == marks.sum()).all()
        assert not (dealt == marks).all(dim=1).any()
        assert torch.equal(dealt, dealt_out(text, 30, how, seed=3))
    ahead = [marks.roll(-by) for by in range(20, 181)]
    assert all(any(torch.equal(row, one) for one in ahead) for row in dealt)
    with pytest.raises(ValueError, match="shuffled"):
        dealt_out(text, 1, "mixed", seed=3)
