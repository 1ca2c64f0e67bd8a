"""Choose the next token from its probabilities."""

from __future__ import annotations

import math
from collections.abc import Collection

import torch
from torch import Tensor


def without(log_p: Tensor, never: Collection[int]) -> Tensor:
    """Return log-probabilities (..., V) with these tokens impossible, summing to one again."""
    unwanted = torch.tensor(sorted(never), dtype=torch.long, device=log_p.device)
    left = log_p.index_fill(-1, unwanted, -math.inf)
    if left.isneginf().all(dim=-1).any():
        raise ValueError(
            f"nothing is left to say: `never` forbids {len(never)} of {log_p.shape[-1]} tokens, "
            "and the model gives the others zero probability"
        )
    return left.log_softmax(dim=-1)


def shaped(
    log_p: Tensor, temperature: float, top_k: int | None = None, top_p: float | None = None
) -> Tensor:
    """Return the probabilities (..., V) that are drawn from, given log-probabilities.

    A temperature of 0 leaves only the likeliest token.
    """
    if temperature == 0:
        return torch.zeros_like(log_p).scatter_(-1, log_p.argmax(dim=-1, keepdim=True), 1.0)
    # shift the best to 0, so that no temperature, however small, takes them all to -infinity
    scores = (log_p - log_p.amax(dim=-1, keepdim=True)) / temperature
    if top_k is not None:
        best = scores.topk(top_k, dim=-1)
        scores = torch.full_like(scores, -math.inf).scatter(-1, best.indices, best.values)
    p = scores.softmax(dim=-1)
    if top_p is None:
        return p
    ordered, order = p.sort(dim=-1, descending=True, stable=True)
    beyond = ordered.cumsum(dim=-1) - ordered >= top_p  # the tokens before it already suffice
    kept = ordered.masked_fill(beyond, 0)
    return torch.zeros_like(p).scatter(-1, order, kept / kept.sum(dim=-1, keepdim=True))


LARGEST_SEED = 2**62  # leaves room to add a row's number below the generator's own limit


class Sampler:
    """Draw one token per row; every row has its own generator, seeded with seed + row.

    So a row draws the same tokens alone and in a batch, on every device. Tokens in `never` are
    removed before the temperature; then top_k keeps the k likeliest, and top_p keeps the fewest of
    those that together have this probability (the nucleus; Holtzman et al. 2020).
    """

    def __init__(
        self,
        V: int,
        rows: int,
        temperature: float = 1.0,
        top_k: int | None = None,
        seed: int | None = None,
        never: Collection[int] = (),
        top_p: float | None = None,
    ):
        if not (math.isfinite(temperature) and temperature >= 0):
            raise ValueError(
                f"temperature must be 0 (the likeliest token) or a positive number, "
                f"not {temperature}"
            )
        if top_k is not None and not 1 <= top_k <= V:
            raise ValueError(f"top_k must be from 1 to {V}, the number of tokens, not {top_k}")
        if top_p is not None and not 0 < top_p <= 1:
            raise ValueError(f"top_p must be above 0 and at most 1, not {top_p}")
        if len(set(never)) >= V:
            raise ValueError(f"nothing is left to say: `never` holds all {V} tokens")
        self.temperature, self.top_k, self.top_p = temperature, top_k, top_p
        self.never = set(never)
        seed = int(torch.randint(2**31, ()) if seed is None else seed)
        if abs(seed) >= LARGEST_SEED:
            raise ValueError(f"seed must be between -2**62 and 2**62, not {seed}")
        self.generators = [torch.Generator().manual_seed(seed + row) for row in range(rows)]

    def draw(self, log_p: Tensor) -> list[int]:
        """Return one token per row of log-probabilities (B, V)."""
        if self.never:
            log_p = without(log_p, self.never)
        if self.temperature == 0:
            return log_p.argmax(dim=-1).tolist()
        total = shaped(log_p.double().cpu(), self.temperature, self.top_k, self.top_p).cumsum(-1)
        points = [torch.rand(1, generator=own, dtype=torch.float64) for own in self.generators]
        aim = torch.stack(points) * total[:, -1:]  # (B, 1), in [0, 1)
        drawn = torch.searchsorted(total, aim, right=True)  # the first whose sum passes the aim
        return drawn[:, 0].clamp(max=log_p.shape[-1] - 1).tolist()
