"""One vector for a sentence, or for a span."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_utils.models.elmo import BiLM, Options, pool, pool_spans

OPTIONS = Options(projection=5, cells=7, layers=2, filters=((1, 3), (2, 4)), char_dim=3)
SENTENCES = [["Let", "us", "stick", "to", "it"], ["March"], [], ["in", "May"]]
LENGTHS = [5, 1, 0, 2]


@pytest.fixture(scope="module")
def output():
    """Return the layers of sentences of different lengths."""
    torch.manual_seed(20)
    return BiLM(OPTIONS).requires_grad_(False)(SENTENCES)


@pytest.mark.parametrize("how", ["mean", "max", "ends"])
def test_a_sentence_is_pooled_as_if_alone(output, how):
    """Catches padding in a mean or a maximum, the halves of \"ends\" exchanged."""
    found = pool(output.layers - 3, output.mask, how)  # below zero, where padding would win
    assert found.shape == (3, 4, 10)
    for row, length in enumerate(LENGTHS):
        alone = (output.layers[:, row, :length] - 3).numpy()
        if not length:
            assert not found[:, row].any()
        elif how == "ends":
            both = np.concatenate([alone[:, -1, :5], alone[:, 0, 5:]], axis=-1)
            np.testing.assert_allclose(found[:, row], both, atol=1e-6)
        else:
            expected = alone.mean(axis=1) if how == "mean" else alone.max(axis=1)
            np.testing.assert_allclose(found[:, row], expected, atol=1e-6)


@pytest.mark.parametrize("how", ["mean", "max", "ends"])
def test_a_span_is_pooled_like_a_sentence_of_its_tokens(output, how):
    """Catches a stop that is included, and spans given back in the order of their rows."""
    spans = [(3, 0, 2), (0, 1, 4), (0, 0, 1)]
    found = pool_spans(output.layers, spans, how)
    assert found.shape == (3, 3, 10)
    for n, (row, first, stop) in enumerate(spans):
        part = output.layers[:, row : row + 1, first:stop]
        alone = pool(part, torch.ones(1, stop - first, dtype=torch.bool), how)[:, 0]
        torch.testing.assert_close(found[:, n], alone)


def test_nothing_becomes_nothing_and_gradients_are_numbers():
    """Catches a crash on an empty batch, and NaN in the gradient of an empty row."""
    for how in ("mean", "max", "ends"):
        assert pool(torch.zeros(2, 0, 4), torch.zeros(2, 0, dtype=torch.bool), how).shape == (2, 4)
        x = torch.randn(2, 3, 4, requires_grad=True)
        mask = torch.tensor([[True, True, False], [False, False, False]])
        pool(x, mask, how).sum().backward()
        assert x.grad.isfinite().all()
        assert not x.grad[~mask].any()
        assert x.grad[0, :2].any()
    assert pool_spans(torch.zeros(2, 3, 4), []).shape == (0, 4)


@pytest.mark.parametrize("span", [(0, 2, 2), (0, 0, 6), (4, 0, 1), (0, -1, 2)])
def test_what_is_no_span_is_refused(output, span):
    """Catches an empty span as a vector of zeros, and one that counts from the end."""
    with pytest.raises(ValueError, match="is not a span"):
        pool_spans(output.layers, [span])


def test_wrong_words_are_answered(output):
    """Catches a word for another way taken for the mean, and the mask of another batch."""
    with pytest.raises(ValueError, match="choose mean, max or ends"):
        pool(output.layers, output.mask, "average")
    with pytest.raises(ValueError, match="does not belong"):
        pool(output.layers, output.mask[:2])
