"""A batch of sentences as the model reads it: framed, deduplicated, both ways round."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor

from course_utils.models.elmo.characters import BOS, EOS
from course_utils.models.elmo.token_lists import token_lists


@dataclass(frozen=True)
class Batch:
    """Sentences with their boundaries; everything here lives on the CPU until it is needed."""

    words: list[str]  # each different token once
    index: Tensor  # (T + 2, B) into words; 0 behind a sentence's end
    lengths: list[int]  # boundaries included

    @property
    def alive(self) -> Tensor:
        """Return (T + 2, B): is there a token here?"""
        return torch.arange(len(self.index))[:, None] < torch.tensor(self.lengths)

    @property
    def reversal(self) -> Tensor:
        """Return (T + 2, B): the step to read instead, each sentence turned within its length."""
        steps = torch.arange(len(self.index))[:, None]
        lengths = torch.tensor(self.lengths)
        return torch.where(steps < lengths, lengths - 1 - steps, steps)


def frame(sentences: Iterable[Iterable[str]]) -> Batch:
    """Put boundaries around every sentence and number the different tokens."""
    framed = [[BOS, *sentence, EOS] for sentence in token_lists(sentences)]
    numbers: dict[str, int] = {}
    rows = [[numbers.setdefault(token, len(numbers)) for token in row] for row in framed]
    lengths = [len(row) for row in rows]
    longest = max(lengths, default=2)
    index = torch.zeros(len(rows), longest, dtype=torch.long)
    for into, row in zip(index, rows, strict=True):
        into[: len(row)] = torch.tensor(row)
    return Batch(list(numbers), index.T.contiguous(), lengths)
