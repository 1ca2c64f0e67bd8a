"""Cut one long text into lanes that are read side by side: nothing lost, nothing read twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.settings import IGNORED


class Piece(NamedTuple):
    """T steps of B lanes: what to read, and what comes next."""

    tokens: Tensor  # (T, B)
    targets: Tensor  # (T, B)


class Stream:
    """Batches of T steps; lane b of a batch continues where lane b of the previous one stopped.

    So a state carried from batch to batch has read all of its lane (truncated BPTT). Every token
    but the first is a target exactly once. Where the text does not divide into equal lanes, the
    last step of some lanes is empty: its target is IGNORED.
    """

    def __init__(self, tokens: Tensor, batch: int, steps: int):
        if batch < 1 or steps < 1:
            raise ValueError(f"batch and steps must be at least 1, not {batch} and {steps}")
        if tokens.dim() != 1 or len(tokens) <= batch:
            raise ValueError(
                f"a stream needs one row of more than {batch} tokens for {batch} lanes; "
                f"this has shape {tuple(tokens.shape)}"
            )
        self.steps = steps
        self.tokens, self.targets = _lanes(tokens[:-1], batch), _lanes(tokens[1:], batch)
        for lane, part in enumerate(torch.tensor_split(tokens[1:], batch)):
            self.targets[len(part) :, lane] = IGNORED

    def __len__(self) -> int:
        return -(-len(self.tokens) // self.steps)

    def __iter__(self) -> Iterator[Piece]:
        for first in range(0, len(self.tokens), self.steps):
            now = slice(first, first + self.steps)
            yield Piece(self.tokens[now], self.targets[now])


def _lanes(tokens: Tensor, batch: int) -> Tensor:
    """Return the text in `batch` columns; those one token short repeat their end."""
    lanes = torch.tensor_split(tokens, batch)
    longest = len(lanes[0])
    return torch.stack(
        [torch.cat([lane, lane[-1:]]) if len(lane) < longest else lane for lane in lanes], dim=1
    )
