"""The explorers of ELMo: what one types, where they start, what they say."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_utils.explorers.elmo import gap, layers, letters, mix, walk
from course_utils.explorers.elmo.shared import shipped, tokens_of
from course_utils.models.elmo import ScalarMix
from course_utils.plots.elmo.walk_layout import CELLS


def test_the_walk_shows_the_model_s_numbers():
    """Catches neighbours exchanged, a word off by a boundary, a backward half called forward."""
    tokens = ["Let", "'s", "stick", "to"]
    view = walk.view_of("Let's stick to", 3, "sum")
    assert list(view.words) == tokens[1:]
    found = shipped().bilm([tokens]).layers[:, 0].numpy()
    P = shipped().bilm.options.projection
    np.testing.assert_allclose(view.tokens, found[0, 1:, :CELLS], atol=1e-6)
    np.testing.assert_allclose(view.ahead, found[1:, 1:, :CELLS], atol=1e-5)
    np.testing.assert_allclose(view.back, found[1:, 1:, P : P + CELLS], atol=1e-5)
    ends = walk.view_of("Let's stick to", 1, "sum").words[0], walk.view_of("a b", 2, "sum").words[2]
    assert ends == ("<S>", "</S>")


def test_a_word_beyond_the_sentence_is_its_last_and_that_is_said():
    """Catches an index error where a slider is longer than the sentence."""
    for made in (
        walk.view_of("we stick", 9, "sum"),
        layers.view_of("we stick", 1, 9),
        gap.view_of("we stick", 9),
        mix.view_of(0, 0, 0, 1, "we stick", 9),
    ):
        assert "There is no word 9: this is the last." in made.note
    assert tokens_of("a b c", 2, "x") == (["a", "b"], "Only the first 2 words and marks are read.")
    assert tokens_of("  ", 2, "x y z") == (["x", "y"], "Only the first 2 words and marks are read.")


def test_a_word_is_known_when_training_has_read_it():
    """Catches `known` of the softmax's list, where rare words are none."""
    assert letters.view_of("Congress", "", 1).known
    assert not letters.view_of("Congress", "blockchain", 1).known
    assert letters.view_of("Congress", "two words", 1).word == "two"
    long = letters.view_of("Congress", "x" * 60, 1)
    assert len(long.word) == letters.LONGEST
    assert "Only the first" in long.note
    second = letters.view_of("sticking", "", 2)
    assert second.chosen == 1
    assert second.favourites != letters.view_of("sticking", "", 1).favourites


def test_a_gap_is_answered_from_both_sides():
    """Catches the guess at another place, and an answer that sees its word."""
    view = gap.view_of("The United States of America", 2)
    assert view.sides["right"].words[0] == "United"
    assert view.sides["both"].words[0] == "United"
    assert view.sides["right"].rank == 1
    assert view.sides["left"].share < view.sides["right"].share < view.sides["both"].share
    other = gap.view_of("The xyz States of America", 2)
    assert not other.known
    for side, found in view.sides.items():
        assert other.sides[side].words == found.words


def test_a_mix_is_that_of_the_model():
    """Catches γ inside the softmax, and shares of another order."""
    view = mix.view_of(0.5, 1.0, -1.0, 1.5, "Let's stick to", 3)
    own = ScalarMix(3, initial=[0.5, 1.0, -1.0])
    with torch.no_grad():
        own.gamma.fill_(1.5)
        vectors = own(shipped().bilm([["Let", "'s", "stick", "to"]]).layers)[0, 2]
    shown = [half[: len(view.mixed) // 2] for half in vectors.chunk(2)]
    np.testing.assert_allclose(view.mixed, torch.cat(shown).numpy(), atol=1e-5)
    assert view.shares.sum() == pytest.approx(1)


def test_layers_part_the_month_from_the_verb():
    """Catches layers that are shown in another order."""
    low, high = (layers.view_of("We may meet in May.", n, 2) for n in (0, 2))
    assert low.tokens == ["We", "may", "meet", "in", "May", "."]
    assert low.cosines[1, 4] != pytest.approx(high.cosines[1, 4], abs=1e-3)
    np.testing.assert_allclose(np.diag(high.cosines), 1, atol=1e-5)
