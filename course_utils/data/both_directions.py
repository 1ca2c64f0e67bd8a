"""Sentences as two streams side by side, one for each direction of a bidirectional LM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.settings import IGNORED


class TwoWayPiece(NamedTuple):
    """T steps of B lanes: what each direction reads, and what it must predict."""

    ahead: Tensor  # (T, B)
    ahead_next: Tensor  # (T, B)
    back: Tensor  # (T, B)
    back_next: Tensor  # (T, B)


class TwoWayStream:
    """Texts in a new order each epoch, cut into lanes; lanes continue from piece to piece.

    Forward, a text is BEGIN sentence END BEGIN ...; backward, it is the same sentences in the same
    order, each reversed. Nobody is asked to predict that a sentence begins where one has ended.
    """

    def __init__(
        self, texts: Sequence[Tensor], begin: int, end: int, batch: int, steps: int, seed: int
    ):
        """Take texts as token numbers, each BEGIN sentence END BEGIN sentence END ..."""
        self.texts, self.begin, self.end = list(texts), begin, end
        self.batch, self.steps, self.seed = batch, steps, seed
        self.lane = (sum(map(len, self.texts)) - 1) // batch
        if self.lane < 1:
            raise ValueError(f"there are too few tokens for {batch} lanes")
        self.round = -1
        self.lanes: list[Tensor] = []

    @property
    def pieces(self) -> int:
        """Return how many pieces it takes to read everything once."""
        return -(-self.lane // self.steps)

    def __call__(self, number: int) -> TwoWayPiece:
        """Return piece `number` of the endless stream."""
        turn, piece = divmod(number, self.pieces)
        if turn != self.round:
            self.round, self.lanes = turn, self._cut(turn)
        first = piece * self.steps
        return TwoWayPiece(*(lane[first : first + self.steps] for lane in self.lanes))

    def _cut(self, turn: int) -> list[Tensor]:
        """Shuffle and cut; a remainder that fills no lane is dropped, another one each epoch."""
        order = torch.randperm(
            len(self.texts), generator=torch.Generator().manual_seed(self.seed + turn)
        )
        ahead = torch.cat([self.texts[n] for n in order])
        lanes = []
        for tokens, start in ((ahead, self.begin), (turned(ahead, self.end), self.end)):
            following = tokens[1:].clone()
            following[following == start] = IGNORED
            for part in (tokens[:-1], following):
                lanes.append(part[: self.lane * self.batch].view(self.batch, -1).T)
        return lanes


def turned(tokens: Tensor, end: int) -> Tensor:
    """Return the sentences of a stream in the same order, each reversed."""
    last = (tokens == end).nonzero()[:, 0]  # where each sentence ends
    first = torch.cat([last.new_zeros(1), last[:-1] + 1])
    sentence = torch.repeat_interleave(torch.arange(len(last)), last - first + 1)
    return tokens[first[sentence] + last[sentence] - torch.arange(len(tokens))]
