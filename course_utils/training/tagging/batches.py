"""Batches of sentences of similar length: little padding, and a new order every epoch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch

from course_utils.data.tagging.examples import Example
from course_utils.models.tagging import Batch, Coder


class Bucketed:
    """Batch `number` of an endless stream over examples.

    Every epoch, all examples are shuffled, sorted by length with some noise, cut into batches, and
    the batches are shuffled. With `bucketed=False` they are only shuffled: this shows the cost of
    padding.
    """

    def __init__(
        self,
        examples: Sequence[Example],
        coder: Coder,
        kind: str,
        batch: int = 32,
        seed: int = 0,
        bucketed: bool = True,
    ):
        self.examples, self.coder, self.kind = examples, coder, kind
        self.size, self.seed, self.bucketed = min(batch, len(examples)), seed, bucketed
        self.round = -1
        self.order: list[list[int]] = []

    @property
    def batches(self) -> int:
        """Return how many batches it takes to see everything once."""
        return -(-len(self.examples) // self.size)

    def __call__(self, number: int) -> Batch:
        """Return a batch with its labels."""
        turn, place = divmod(number, self.batches)
        if turn != self.round:
            self.round, self.order = turn, self._cut(turn)
        chosen = [self.examples[n] for n in self.order[place]]
        return code(self.coder, chosen, self.kind)

    def _cut(self, turn: int) -> list[list[int]]:
        generator = torch.Generator().manual_seed(self.seed * 1009 + turn)
        order = torch.randperm(len(self.examples), generator=generator)
        if self.bucketed:
            lengths = torch.tensor([float(len(self.examples[n].words)) for n in order])
            order = order[(lengths + 2 * torch.rand(len(order), generator=generator)).argsort()]
        cut = [part.tolist() for part in order.split(self.size)]
        return [cut[n] for n in torch.randperm(len(cut), generator=generator).tolist()]


def code(coder: Coder, examples: Sequence[Example], kind: str) -> Batch:
    """Return examples as one batch."""
    words, labels = [e.words for e in examples], [e.labels for e in examples]
    return coder.batch(words, labels, kind=kind)


def pieces(
    examples: Sequence[Example], coder: Coder, kind: str, batch: int = 128
) -> Iterator[Batch]:
    """Yield all examples once, the short ones first."""
    ordered = sorted(examples, key=lambda example: len(example.words))
    for first in range(0, len(ordered), batch):
        yield code(coder, ordered[first : first + batch], kind)
