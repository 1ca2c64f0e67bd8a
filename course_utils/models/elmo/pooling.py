"""One vector for a sentence, or for a span of its tokens."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

WAYS = ("mean", "max", "ends")


def pool(vectors: Tensor, mask: Tensor, how: str = "mean") -> Tensor:
    """Return one vector per row, (..., B, 2P), from vectors (..., B, T, 2P) and mask (B, T).

    "mean" and "max" are over a row's tokens; "ends" is each direction's output once it has read all
    of them: the forward half of the last one, the backward half of the first. A row without tokens
    becomes zero.
    """
    if how not in WAYS:
        raise ValueError(f"how={how!r}: choose {', '.join(WAYS[:-1])} or {WAYS[-1]}")
    if vectors.shape[-3:-1] != mask.shape:
        raise ValueError(
            f"a mask of {tuple(mask.shape)} does not belong to vectors of {tuple(vectors.shape)}"
        )
    here = mask.to(vectors.device, torch.bool)
    if how == "mean":
        return (vectors * here[..., None]).sum(dim=-2) / here.sum(dim=1, keepdim=True).clamp(min=1)
    if how == "max":
        if not here.shape[1]:
            return vectors.sum(dim=-2)
        largest = vectors.masked_fill(~here[..., None], -torch.inf).amax(dim=-2)
        return largest.masked_fill(~here.any(dim=1, keepdim=True), 0)
    forward, backward = vectors.chunk(2, dim=-1)
    first = here & (here.cumsum(dim=1) == 1)
    last = here & (here.flip(1).cumsum(dim=1).flip(1) == 1)
    halves = (forward * last[..., None], backward * first[..., None])
    return torch.cat([half.sum(dim=-2) for half in halves], dim=-1)


def pool_spans(vectors: Tensor, spans: Sequence[tuple[int, int, int]], how: str = "mean") -> Tensor:
    """Return one vector per span, (..., N, 2P); a span is (row, first, stop), stop excluded."""
    _, T, _ = vectors.shape[-3:]
    wrong = [s for s in spans if not (0 <= s[1] < s[2] <= T and 0 <= s[0] < vectors.shape[-3])]
    if wrong:
        raise ValueError(
            f"{wrong[0]} is not a span (row, first, stop) of {vectors.shape[-3]} rows of {T} tokens"
        )
    numbers = torch.tensor(spans, dtype=torch.long, device=vectors.device)
    row, first, stop = numbers.reshape(-1, 3).T
    steps = torch.arange(T, device=vectors.device)
    inside = (steps >= first[:, None]) & (steps < stop[:, None])  # (N, T)
    return pool(vectors[..., row, :, :], inside, how)
