"""A tagger or a classifier that is given the layers of a language model."""

from __future__ import annotations

import pytest
import torch

from course_utils.models.tagging.batch import Batch
from course_utils.models.tagging.networks import Tagger
from course_utils.models.using_elmo import BagClassifier, WithLayers


def _batch(B=3, T=5):
    lengths = torch.tensor([5, 2, 4])
    return Batch(lengths, tokens=torch.randint(0, 11, (B, T)), labels=torch.tensor([1, 0, 1]))


@pytest.mark.parametrize(
    ("place", "given", "late"), [("input", 7, 0), ("output", 0, 7), ("both", 7, 7)]
)
def test_the_mix_goes_where_it_is_said_to(place, given, late):
    """Catches a mix in the wrong place, one mix for two places, and layers weighed otherwise."""
    torch.manual_seed(2)
    tagger = Tagger(3, words=11, width=4, hidden=6, given=given, late=late)
    model = WithLayers(tagger, 3, place, dropout=0.5).eval()
    for mix in model.mixes.values():
        mix.scalars.data = torch.tensor([0.2, -1.0, 1.5])
        mix.gamma.data = torch.tensor(1.7)
    batch, layers = _batch(), torch.randn(3, 3, 5, 7)
    expected = 1.7 * sum(
        w * x for w, x in zip(torch.tensor([0.2, -1, 1.5]).softmax(0), layers, strict=True)
    )
    joined = model.joined(batch, layers)
    for width, found in ((given, joined.vectors), (late, joined.late)):
        assert (found is None) == (width == 0)
        if found is not None:
            torch.testing.assert_close(found, expected)
    assert model(batch, layers).shape == (3, 5, 3)
    assert sum(p.numel() for p in model.mixes.parameters()) == 4 * len(model.mixes)
    torch.testing.assert_close(model.penalty(), len(model.mixes) * torch.tensor(0.04 + 1 + 2.25))


def test_a_bag_takes_vectors_or_their_mean():
    """Catches padding that is averaged in, and a mean of means that differs from the mean."""
    torch.manual_seed(3)
    batch, vectors = _batch(), torch.randn(3, 5, 7)
    bag = BagClassifier(2, 11, width=4, given=7)
    means = torch.stack([v[:n].mean(0) for v, n in zip(vectors, (5, 2, 4), strict=True)])
    whole = bag(batch._replace(vectors=vectors))
    torch.testing.assert_close(bag(batch._replace(vectors=means[:, None])), whole)
    first = torch.cat([bag.embedding(batch.tokens[1, :2]).mean(0), means[1]])
    torch.testing.assert_close(bag.output(first), whole[1])


def test_an_unknown_place_is_refused():
    """Catches a typing mistake that leaves ELMo out in silence."""
    with pytest.raises(ValueError, match="input, output, both"):
        WithLayers(Tagger(3, words=11), 3, "middle")
