"""Sentences of different lengths side by side."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class Batch(NamedTuple):
    """What a tagger or a classifier reads; everything after a sentence's length is padding.

    A sentence comes as token numbers, as vectors made elsewhere (ELMo's, say), or as both, which
    are then concatenated. `late` vectors join after the encoder instead of before it.
    """

    lengths: Tensor  # (B,)
    tokens: Tensor | None = None  # (B, T)
    vectors: Tensor | None = None  # (B, T, D)
    late: Tensor | None = None  # (B, T, E)
    letters: Tensor | None = None  # (N, M), each distinct word of the batch spelled once
    places: Tensor | None = None  # (B, T), which of the N words is where
    labels: Tensor | None = None  # (B, T) for a tagger, IGNORED on padding; (B,) for a classifier

    @property
    def mask(self) -> Tensor:
        """Return (B, T), True where there is a word."""
        return mask_of(self.lengths, self.steps)

    @property
    def steps(self) -> int:
        """Return T."""
        for part in (self.tokens, self.vectors, self.places):
            if part is not None:
                return part.shape[1]
        raise ValueError("a batch has no words: give tokens, vectors, or letters and their places")


def mask_of(lengths: Tensor, steps: int) -> Tensor:
    """Return (B, T), True before each length."""
    return torch.arange(steps, device=lengths.device) < lengths[:, None]
