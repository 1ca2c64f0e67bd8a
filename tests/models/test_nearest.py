"""Deciding by the nearest neighbour."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_utils.models.nearest import nearest_by_cosine, sense_accuracy


def test_the_nearest_is_numpy_s():
    """Catches dot products in the place of cosines, and neighbours that were not allowed."""
    rng = np.random.default_rng(3)
    asked, known = rng.normal(size=(7, 5)), rng.normal(size=(11, 5)) * rng.uniform(1, 9, (11, 1))
    allowed = rng.random((7, 11)) < 0.6
    found = nearest_by_cosine(*map(torch.from_numpy, (asked, known, allowed)))
    for row, place in enumerate(found.tolist()):
        cosines = known @ asked[row] / np.linalg.norm(known, axis=1)
        cosines[~allowed[row]] = -np.inf
        assert place == cosines.argmax()


def test_a_space_that_cannot_tell_is_at_chance():
    """Catches a tie that is won by the order of the rows, and one that counts as half right."""
    words, senses = torch.zeros(6, dtype=torch.long), torch.tensor([0, 0, 0, 1, 1, 1])
    clauses = torch.arange(6)
    same = torch.ones(6, 4)
    chance = sense_accuracy(same, words, senses, clauses)
    assert chance.tolist() == pytest.approx([2 / 5] * 6)  # of five others two have the sense
    apart = torch.nn.functional.one_hot(senses, 4).float() + 0.1 * torch.eye(6)[:, :4]
    assert sense_accuracy(apart, words, senses, clauses).mean() == 1


def test_the_nearest_share_what_they_are_equally_near_to():
    """Catches a tie of two among many that goes to the first of them."""
    vectors = torch.tensor([[1.0, 0.0], [1.0, 1.0], [1.0, -1.0], [-1.0, 0.0]])
    words, senses = torch.zeros(4, dtype=torch.long), torch.tensor([0, 0, 1, 0])
    assert sense_accuracy(vectors, words, senses, torch.arange(4))[0] == 0.5


@pytest.mark.parametrize("which", ["words", "clauses"])
def test_copies_and_other_words_are_no_neighbours(which):
    """Catches an answer copied from the same clause, or taken from another word."""
    vectors = torch.tensor([[1.0, 0.0], [1.0, 0.01], [0.0, 1.0], [0.2, 1.0]])
    senses = torch.tensor([0, 0, 1, 1])
    words, clauses = torch.zeros(4, dtype=torch.long), torch.arange(4)
    (words if which == "words" else clauses)[:] = torch.tensor(
        [0, 1, 0, 1] if which == "words" else [0, 0, 1, 1]
    )
    rights = sense_accuracy(vectors, words, senses, clauses)
    assert rights.tolist() == [0, 0, 0, 0]  # the copies 0-1 and 2-3 would have been nearer
