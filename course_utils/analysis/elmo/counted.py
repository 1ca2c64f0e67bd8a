"""How many embeddings does a word get? Read a corpus and count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import normalize

from course_utils.models.elmo import BiLM, PackedBiLM

AT_ONCE = 64
SAME = 1e-4  # of a vector's length: far above the rounding differences between equal vectors


class Uses(NamedTuple):
    """Every use of one word in a corpus, by its vector in each layer."""

    word: str
    vectors: Tensor  # (L + 1, N, 2P)

    @property
    def different(self) -> list[int]:
        """Return how many different vectors each layer has for the word."""
        return [_different(layer) for layer in self.vectors]

    @property
    def alike(self) -> list[float]:
        """Return the mean cosine of two uses, per layer."""
        return [_mean_cosine(layer) for layer in self.vectors]


@torch.no_grad()
def uses_of(
    bilm: BiLM | PackedBiLM, sentences: Sequence[Sequence[str]], words: Sequence[str]
) -> dict[str, Uses]:
    """Read sentences, each from an empty memory, and keep the vectors of some words."""
    packed, wanted = bilm.packed(), set(words)
    found: dict[str, list[Tensor]] = {word: [] for word in words}
    order = sorted((s for s in sentences if not wanted.isdisjoint(s)), key=len)
    for first in range(0, len(order), AT_ONCE):
        batch = order[first : first + AT_ONCE]
        layers = packed(batch).layers  # (L + 1, B, T, 2P)
        for row, sentence in enumerate(batch):
            for place, token in enumerate(sentence):
                if token in wanted:
                    found[token].append(layers[:, row, place])
    width = 2 * bilm.options.projection
    none = torch.zeros(bilm.options.layers + 1, 0, width)
    return {w: Uses(w, torch.stack(some, 1) if some else none) for w, some in found.items()}


def strangers_alike(bilm: BiLM | PackedBiLM, sentences: Sequence[Sequence[str]]) -> list[float]:
    """Return the mean cosine of two different words, per layer, one use of each."""
    words = sorted({token for sentence in sentences for token in sentence})
    uses = uses_of(bilm, sentences, words).values()
    return Uses("", torch.stack([use.vectors[:, 0] for use in uses], dim=1)).alike


def _different(vectors: Tensor) -> int:
    """Count vectors, equal ones once."""
    if not len(vectors):
        return 0
    apart = torch.cdist(vectors.double(), vectors.double())
    near = apart < SAME * vectors.norm(dim=-1).mean()
    return len(vectors) - int(near.tril(-1).any(dim=1).sum())


def _mean_cosine(vectors: Tensor) -> float:
    """Return the mean cosine of all pairs; 1 where there is no pair."""
    N = len(vectors)
    if N < 2:
        return 1.0
    together = normalize(vectors.double(), dim=-1).sum(dim=0)
    return float((together @ together - N) / (N * (N - 1)))
