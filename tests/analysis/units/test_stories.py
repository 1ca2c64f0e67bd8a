"""A gate that closes at marks is chosen on one text and judged on another."""

from __future__ import annotations

import pytest
import torch

from course_utils.analysis.units.responses import responses
from course_utils.analysis.units.stories import (
    closing_unit,
    forgotten,
    hidden_paragraphs,
    new_paragraphs,
)
from course_utils.data.english import english, token_stream
from course_utils.data.vocabulary import Vocabulary
from course_utils.explorers.gates.walk import STORY_UNITS
from course_utils.models import RecurrentLM
from course_utils.shipped import load_trained


@pytest.mark.parametrize("cell", ["lstm", "gru"])
def test_a_planted_unit_is_found(cell):
    """Catches gates mixed up, and a unit that opens where it should close."""
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
    lost = torch.cat(list(responses(model, text, forgotten)))
    (steps,) = model.trace(model.vocabulary.encode(text)[:, None])
    gate, memory = (steps.f, steps.c) if cell == "lstm" else (steps.z, steps.h)
    expected = (1 - gate[1:, 0]) * memory[:-1, 0].abs()  # the memory before, not after
    torch.testing.assert_close(lost[1:], expected)
    assert lost[0].abs().max() == 0


def test_hidden_marks_are_gone():
    """Catches marks that no longer stand at their tokens."""
    text = ["a", ".", "b", ".", "\n\n", "c", ".", "d"]
    hidden = hidden_paragraphs(text)
    assert list(hidden.tokens) == ["a", ".", "b", ".", "c", ".", "d"]
    assert hidden.marks.nonzero().flatten().tolist() == [4]
    assert hidden.counted.nonzero().flatten().tolist() == [2, 4, 6]


@pytest.mark.parametrize("cell", STORY_UNITS)
def test_the_shipped_models_have_the_unit_of_the_story(cell):
    """Catches a retrained model whose story is told by another unit, or by none."""
    parts = english()
    texts = [token_stream(part)[:20_000] for part in (parts.valid, parts.test)]
    found = closing_unit(load_trained(f"word_{cell}"), *map(new_paragraphs, texts))
    assert found.unit == STORY_UNITS[cell]
    assert found.area > 0.98
    assert found.at_marks < 0.1 < 0.8 < found.elsewhere
    assert found.luck.max() < 0.62
