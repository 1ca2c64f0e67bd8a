"""Vectors of words from counts."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_utils.models.static_vectors import StaticVectors, count_vectors

TEXT = "the cat sees the dog|a dog hears a cat|the king rules the land|a king loves the land"
SENTENCES = [sentence.split() for sentence in TEXT.split("|")] * 3
WORDS = sorted({word for sentence in SENTENCES for word in sentence})


def test_vectors_are_those_of_numpy_s_decomposition():
    """Catches pairs over a sentence's end, one-sided windows, and directions badly found."""
    window, width = 2, 5
    number = {word: n for n, word in enumerate(WORDS)}
    counts = np.zeros((len(WORDS), len(WORDS)))
    for sentence in SENTENCES:
        for place, word in enumerate(sentence):
            for other in range(max(0, place - window), min(len(sentence), place + window + 1)):
                if other != place:
                    counts[number[word], number[sentence[other]]] += 1
    total = counts.sum(axis=1)
    context = total**0.75 / (total**0.75).sum()
    with np.errstate(divide="ignore"):
        matrix = np.log(counts / counts.sum() / np.outer(total / counts.sum(), context))
    matrix = np.maximum(matrix, 0)
    left, values, _ = np.linalg.svd(matrix)
    expected = left[:, :width] * np.sqrt(values[:width])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    found = count_vectors(SENTENCES, WORDS, width, window).vectors.numpy()
    assert values[width - 1] > values[width] + 1e-3
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-4)


def test_an_unknown_word_has_no_vector_and_no_neighbour():
    """Catches an unknown word that is read as the first one or the last."""
    table = StaticVectors(["a", "b"], torch.eye(2))
    assert table.of(["b", "zebra", "a"]).tolist() == [[0, 1], [0, 0], [1, 0]]
    assert table.of([]).shape == (0, 2)
    with pytest.raises(ValueError, match="2 words need as many vectors"):
        StaticVectors(["a", "b"], torch.eye(3))
