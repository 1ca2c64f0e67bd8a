"""One vector per word, from counts alone: what occurs near it more often than by chance."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence

import torch
from torch import Tensor
from torch.nn.functional import normalize

ROUNDS = 4  # of the search for the strongest directions
BESIDE = 16  # extra directions, followed but not kept: the last ones converge poorly
SMOOTHING = 0.75  # Levy, Goldberg and Dagan (2015): rare contexts count for less


class StaticVectors:
    """A table of vectors (V, D), one per word; a word that is not in it gets the zero vector."""

    def __init__(self, words: Sequence[str], vectors: Tensor):
        if len(words) != len(vectors):
            raise ValueError(f"{len(words)} words need as many vectors, not {len(vectors)}")
        self.words, self.vectors = list(words), vectors
        self.number = {word: n for n, word in enumerate(self.words)}

    @property
    def width(self) -> int:
        """Return D."""
        return self.vectors.shape[1]

    def of(self, tokens: Iterable[str]) -> Tensor:
        """Return (T, D)."""
        numbers = [self.number.get(token, -1) for token in tokens]
        found = self.vectors.new_zeros(len(numbers), self.width)
        known = torch.tensor([n >= 0 for n in numbers], dtype=torch.bool)
        found[known] = self.vectors[[n for n in numbers if n >= 0]]
        return found


def count_vectors(
    sentences: Sequence[Sequence[str]],
    words: Sequence[str],
    width: int,
    window: int = 4,
    seed: int = 0,
) -> StaticVectors:
    """Return the rank-`width` word vectors that best fit max(0, log p(w, v) / (p(w) p(v))).

    v is at most `window` places from w in a sentence. Skip-gram with negative sampling factorises
    nearly the same matrix (Levy and Goldberg 2014).
    """
    pairs = _pairs(sentences, {word: n for n, word in enumerate(words)}, window)
    matrix = _positive_information(pairs, len(words))
    directions, strengths = _strongest(matrix, width, seed)
    vectors = directions * strengths.sqrt()
    return StaticVectors(words, normalize(vectors, dim=-1))


def _pairs(sentences: Sequence[Sequence[str]], number: dict[str, int], window: int) -> Tensor:
    """Return word numbers (2, N), each pair of neighbours in both orders."""
    stream: list[int] = []
    for sentence in sentences:
        stream += [number.get(word, -1) for word in sentence]
        stream += [-1] * window  # no neighbours across the end of a sentence
    tokens = torch.tensor(stream)
    found = []
    for far in range(1, window + 1):
        pair = torch.stack([tokens[:-far], tokens[far:]])
        found.append(pair[:, (pair >= 0).all(dim=0)])
    one_way = torch.cat(found, dim=1)
    return torch.cat([one_way, one_way.flip(0)], dim=1)


def _positive_information(pairs: Tensor, size: int) -> Tensor:
    """Return the sparse matrix (V, V) of positive pointwise mutual information."""
    places, counts = torch.unique(pairs[0] * size + pairs[1], return_counts=True)
    rows, columns = places // size, places % size
    total = torch.zeros(size).index_add_(0, rows, counts.float())
    p = total / total.sum()
    context = total**SMOOTHING / (total**SMOOTHING).sum()
    told = (counts / total.sum() / (p[rows] * context[columns])).log()
    kept = told > 0
    indices = torch.stack([rows[kept], columns[kept]])
    return torch.sparse_coo_tensor(
        indices, told[kept], (size, size), check_invariants=True
    ).coalesce()


def _strongest(matrix: Tensor, width: int, seed: int) -> tuple[Tensor, Tensor]:
    """Return the leading left singular vectors (V, D) and values (D,) (Halko et al. 2011)."""
    generator = torch.Generator().manual_seed(seed)
    matrix, turned = _by_rows(matrix), _by_rows(matrix.t())
    found = matrix @ torch.randn(matrix.shape[1], width + BESIDE, generator=generator)
    for _ in range(ROUNDS):
        found, _ = torch.linalg.qr(found)
        found = matrix @ (turned @ found)
    basis, _ = torch.linalg.qr(found)
    left, values, _ = torch.linalg.svd((turned @ basis).T, full_matrices=False)
    return (basis @ left)[:, :width], values[:width]


def _by_rows(matrix: Tensor) -> Tensor:
    """Return a sparse matrix in the form whose products take half of the time."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sparse CSR tensor support is in beta")
        return matrix.coalesce().to_sparse_csr()
