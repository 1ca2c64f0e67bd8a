"""Classify by the nearest neighbour: what a space knows without any training."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import normalize

EQUALLY_NEAR = 1e-6  # a smaller difference between cosines is rounding


def nearest_by_cosine(asked: Tensor, known: Tensor, allowed: Tensor) -> Tensor:
    """Return for each vector of `asked` (M, D) which of `known` (N, D) is nearest, (M,).

    `allowed` (M, N) says which pairs may be neighbours. A vector without a neighbour, or equally
    near to several, gets -1: a space that cannot tell must not win by the order of its rows.
    """
    similarity = normalize(asked, dim=-1) @ normalize(known, dim=-1).T  # (M, N)
    lowest = similarity.masked_fill(~allowed, torch.inf).amin(dim=-1)
    best, place = similarity.masked_fill(~allowed, -torch.inf).max(dim=-1)
    choices = allowed.sum(dim=-1)
    decided = (choices == 1) | ((choices > 1) & (best - lowest > EQUALLY_NEAR))
    return torch.where(decided, place, -1)


def sense_accuracy(vectors: Tensor, words: Tensor, senses: Tensor, clauses: Tensor) -> Tensor:
    """Return for every use (N,) the share of its nearest allowed uses that have its sense.

    Uses of the same word in another clause are allowed. All uses that are equally near count, so
    that a space that cannot tell them apart scores at chance.
    """
    allowed = (words[:, None] == words) & (clauses[:, None] != clauses)
    unit = normalize(vectors, dim=-1)
    similarity = (unit @ unit.T).masked_fill(~allowed, -torch.inf)  # (N, N)
    nearest = allowed & (similarity > similarity.amax(dim=-1, keepdim=True) - EQUALLY_NEAR)
    same = nearest & (senses[:, None] == senses)
    return same.sum(dim=-1).double() / nearest.sum(dim=-1).clamp(min=1)
