"""Batches for P networks at a time: as many sentences of each, of about one length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from course_utils.data.tagging.examples import Example, Task
from course_utils.data.vocabulary import BEGIN, END, Vocabulary
from course_utils.settings import IGNORED, UNKNOWN
from course_utils.training.race.using_elmo.sources import LONGEST, Coded, code

FORGOTTEN = 0.1  # share of training words read as unknown, so that there is one to learn
JITTER = 4.0  # words: how far a sentence may move among those of its length


class Sentences(NamedTuple):
    """P networks' sentences side by side."""

    rows: Tensor  # (P, B), which sentences of each network's part these are
    tokens: Tensor  # (P, B, T)
    labels: Tensor  # (P, B, T) of taggers, IGNORED on padding; (P, B) of classifiers
    lengths: Tensor  # (P, B)


def numbered(tasks: Sequence[Task], part: str, labels: list[str]) -> tuple[list[Coded], int]:
    """Return a part of every network's task as numbers, and how many words the largest knows."""
    coded, most = [], 0
    for task in tasks:
        seen = (word for example in task.train for word in example.words[:LONGEST])
        words = Vocabulary.of(seen, special=(UNKNOWN, BEGIN, END))
        examples: list[Example] = getattr(task, part)
        coded.append(code(examples, task, words, labels))
        most = max(most, len(words))
    return coded, most


def side_by_side(parts: Sequence[Coded], rows: Sequence[Sequence[int]]) -> Sentences:
    """Return some sentences of every network."""
    batches = [coded.batch(list(own)) for coded, own in zip(parts, rows, strict=True)]
    tokens = [b.tokens.T for b in batches if b.tokens is not None]
    labels = [b.labels for b in batches if b.labels is not None]
    if labels[0].ndim == 1:
        found = torch.stack(labels)
    else:
        found = _padded([own.T for own in labels], IGNORED)
    lengths = torch.stack([b.lengths for b in batches])
    return Sentences(torch.tensor(rows), _padded(tokens, 0), found, lengths)


def _padded(columns: Sequence[Tensor], value: int) -> Tensor:
    """Join (T, B) of several networks as (P, B, T)."""
    return pad_sequence(list(columns), padding_value=value).permute(1, 2, 0)


class Shuffled:
    """The endless run of batches: every sentence once, in a new order each time round."""

    def __init__(self, parts: Sequence[Coded], size: int, seed: int = 0):
        self.parts, self.size = parts, min(size, *(len(own.texts) for own in parts))
        self.a_turn = min(len(own.texts) for own in parts) // self.size
        self.seed, self.turn, self.order = seed, -1, torch.empty(0, dtype=torch.long)

    def __call__(self, number: int) -> Sentences:
        """Return batch `number`."""
        turn, place = divmod(number, self.a_turn)
        generator = torch.Generator().manual_seed(1_000_003 * self.seed + turn)
        if turn != self.turn:
            self.turn, self.order = turn, self._ordered(generator)
        batch = side_by_side(self.parts, self.order[:, place].tolist())
        generator.manual_seed(7_000_003 * self.seed + number)
        kept = torch.rand(batch.tokens.shape, generator=generator) >= FORGOTTEN
        return batch._replace(tokens=batch.tokens * kept)  # 0 is UNKNOWN

    def _ordered(self, generator: torch.Generator) -> Tensor:
        """Return (P, batches, B): sentences of about one length together, in a random order."""
        orders = []
        for own in self.parts:
            picked = torch.randperm(len(own.texts), generator=generator)[: self.a_turn * self.size]
            lengths = torch.tensor([float(len(own.texts[n])) for n in picked.tolist()])
            moved = lengths + JITTER * torch.rand(lengths.shape, generator=generator)
            orders.append(picked[moved.argsort()].unflatten(0, (self.a_turn, self.size)))
        shuffled = torch.randperm(self.a_turn, generator=generator)
        return torch.stack(orders)[:, shuffled]


def all_of(parts: Sequence[Coded], size: int = 100) -> Iterator[Sentences]:
    """Yield every sentence once, the short ones first; a network with fewer repeats its last."""
    orders = [sorted(range(len(own.texts)), key=lambda n: len(own.texts[n])) for own in parts]
    most = max(map(len, orders))
    for order in orders:
        order += [order[-1]] * (most - len(order))
    for first in range(0, most, size):
        yield side_by_side(parts, [order[first : first + size] for order in orders])
