"""From one vector per word to one vector per sentence, ignoring the padding."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from course_utils.models.tagging.batch import mask_of

POOLINGS = ("mean", "max", "last", "attention")


class Pooled(NamedTuple):
    """A vector for each sentence, and how much of each word went into it."""

    vectors: Tensor  # (B, H)
    weights: Tensor  # (B, T), zero on padding; each row sums to 1


class Pooling(nn.Module):
    """(B, T, H) and lengths to (B, H).

    "mean" and "attention" are weighted sums, a_t = 1 / T or softmax of v · tanh(W h_t + b). "max"
    takes each feature where it is largest. "last" takes each direction where it has read the whole
    sentence: the last word forward, the first word backward.
    """

    def __init__(self, kind: str, hidden: int, direction: str = "both"):
        super().__init__()
        if kind not in POOLINGS:
            raise ValueError(f"pool by one of {', '.join(map(repr, POOLINGS))}, not {kind!r}")
        if kind == "last" and direction == "window":
            raise ValueError("a window has no last state: pool by mean, max or attention")
        self.kind, self.direction = kind, direction
        self.look = nn.Linear(hidden, hidden) if kind == "attention" else None
        self.score = nn.Linear(hidden, 1, bias=False) if kind == "attention" else None

    def forward(self, h: Tensor, lengths: Tensor) -> Pooled:
        """Return each sentence's vector and its words' weights."""
        mask = mask_of(lengths, h.shape[1])
        if self.kind == "max":
            return _largest(h, mask)
        if self.kind == "last":
            return self._last(h, lengths)
        weights = self.attend(h, mask) if self.kind == "attention" else mask / lengths[:, None]
        weights = weights.to(h.dtype)
        return Pooled((weights.unsqueeze(1) @ h).squeeze(1), weights)

    def attend(self, h: Tensor, mask: Tensor) -> Tensor:
        """Return the attention weights (B, T)."""
        assert self.look is not None
        assert self.score is not None
        scores: Tensor = self.score(torch.tanh(self.look(h))).squeeze(-1)
        return scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)

    def _last(self, h: Tensor, lengths: Tensor) -> Pooled:
        B, T, H = h.shape
        ends = {"forward": lengths - 1, "backward": torch.zeros_like(lengths)}
        ways = ("forward", "backward") if self.direction == "both" else (self.direction,)
        rows, vectors, weights = torch.arange(B, device=h.device), [], h.new_zeros(B, T)
        for way, part in zip(ways, h.chunk(len(ways), dim=-1), strict=True):
            vectors.append(part[rows, ends[way]])
            weights[rows, ends[way]] += 1 / len(ways)
        return Pooled(torch.cat(vectors, dim=-1), weights)


def _largest(h: Tensor, mask: Tensor) -> Pooled:
    """Take each feature's maximum; a word's weight is the share of features taken from it."""
    hidden = h.masked_fill(~mask.unsqueeze(-1), -torch.inf)
    vectors, where = hidden.max(dim=1)  # (B, H) each
    shares = torch.full_like(where, 1 / where.shape[1], dtype=h.dtype)
    weights = h.new_zeros(mask.shape).scatter_add_(1, where, shares)
    return Pooled(vectors, weights)
