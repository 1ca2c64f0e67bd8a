"""A unit is chosen on one text and judged on another, by an area that pairs confirm."""

from __future__ import annotations

import pytest
import torch

from course_utils.analysis.units.selectivity import area_under_curve
from course_utils.analysis.units.stories import (
    closing_unit,
    forgetting,
    hidden_paragraphs,
    new_paragraphs,
    shuffled,
)
from course_utils.data.english import english, token_stream
from course_utils.data.vocabulary import Vocabulary
from course_utils.explorers.gates.walk import STORY_UNITS
from course_utils.models import RecurrentLM
from course_utils.training.recipes.trained import load_trained


def test_the_area_counts_pairs():
    """Catch ties counted whole, and the wrong end of the scale."""
    generator = torch.Generator().manual_seed(5)
    scores = torch.randint(0, 4, (23, 3), generator=generator).double()  # many ties
    marks = torch.randint(0, 2, (23,), generator=generator).bool()
    for column in range(3):
        a, b = scores[marks, column], scores[~marks, column]
        pairs = [1.0 if x > y else 0.5 if x == y else 0.0 for x in a for y in b]
        expected = sum(pairs) / len(pairs)
        assert area_under_curve(scores, marks)[column].item() == pytest.approx(expected, abs=1e-12)
    with pytest.raises(ValueError, match="both are needed"):
        area_under_curve(scores, torch.ones(23).bool())


@pytest.mark.parametrize("cell", ["lstm", "gru"])
def test_a_planted_unit_is_found(cell):
    """Catch gates mixed up, and a unit that opens where it should close."""
    words = ["<unk>", "a", "b", "\n\n"]
    torch.manual_seed(1)
    model = RecurrentLM(len(words), cell, width=5, hidden=7)
    model.vocabulary = Vocabulary(words)
    with torch.no_grad():
        block = 7  # the second block of rows, in both networks
        model.recurrent.weight_ih_l0[block + 3] = 0
        model.recurrent.weight_ih_l0[block + 3, 0] = 9.0
        model.embedding.weight[:, 0] = torch.tensor([1.0, 1.0, 1.0, -1.0])
    text = ["a", "b", "\n\n", "b", "a", "a", "\n\n", "a", "z", "b"] * 3
    found = closing_unit(model, *map(new_paragraphs, (text, text[5:])))
    assert found.unit == 3
    assert found.area == 1.0
    assert found.at_marks < 0.01 < 0.99 < found.elsewhere
    gate, lost = forgetting(model, text)
    h_or_c = model.trace(model.vocabulary.encode(text)[:, None])[0][int(cell == "lstm")]
    if cell == "lstm":  # what is lost is taken from the memory before, not after
        expected = (1 - gate[1:]) * h_or_c[:-1, 0].abs()
        torch.testing.assert_close(lost[1:], expected)
    assert lost[0].abs().max() == 0


def test_hidden_marks_are_gone_and_shuffled_ones_elsewhere():
    """Catch marks that no longer stand at their tokens, and a control that changes their number."""
    text = ["a", ".", "b", ".", "\n\n", "c", ".", "d"]
    hidden = hidden_paragraphs(text)
    assert list(hidden.tokens) == ["a", ".", "b", ".", "c", ".", "d"]
    assert hidden.marks.nonzero().flatten().tolist() == [4]
    assert hidden.counted.nonzero().flatten().tolist() == [2, 4, 6]
    plain = new_paragraphs(text * 20)
    dealt = shuffled(plain)
    assert dealt.marks.sum() == plain.marks.sum() == 20
    assert not torch.equal(dealt.marks, plain.marks)


@pytest.mark.parametrize("cell", STORY_UNITS)
def test_the_shipped_models_have_the_unit_of_the_story(cell):
    """Catch a retrained model whose story is told by another unit, or by none."""
    parts = english()
    texts = [token_stream(part)[:20_000] for part in (parts.valid, parts.test)]
    found = closing_unit(load_trained(f"word_{cell}"), *map(new_paragraphs, texts))
    assert found.unit == STORY_UNITS[cell]
    assert found.area > 0.98
    assert found.at_marks < 0.1 < 0.8 < found.elsewhere
