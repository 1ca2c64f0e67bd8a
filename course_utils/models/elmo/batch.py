"""A batch of sentences as the model reads it: framed, deduplicated, in both directions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from course_utils.models.elmo.characters import BOS, EOS, encode_words


@dataclass(frozen=True)
class FramedBatch:
    """Sentences with their boundaries; everything here stays on the CPU until it is needed."""

    words: list[str]  # each distinct token once
    index: Tensor  # (T + 2, B) into words; 0 after the end of a sentence
    lengths: list[int]  # boundaries included

    @property
    def alive(self) -> Tensor:
        """Return (T + 2, B): is there a token here?"""
        return torch.arange(len(self.index))[:, None] < torch.tensor(self.lengths)

    @property
    def reversal(self) -> Tensor:
        """Return (T + 2, B): the step to read instead, each sentence reversed within its length."""
        steps = torch.arange(len(self.index))[:, None]
        lengths = torch.tensor(self.lengths)
        return torch.where(steps < lengths, lengths - 1 - steps, steps)

    def mask(self, boundaries: bool) -> Tensor:
        """Return (B, T), or (B, T + 2) with the boundaries: is there a token here?"""
        return self.alive[0 if boundaries else 2 :].T.contiguous()


def frame(sentences: Iterable[Iterable[str]]) -> FramedBatch:
    """Put boundaries around every sentence and number the distinct tokens."""
    numbers: dict[str, int] = {}
    rows = [
        [numbers.setdefault(token, len(numbers)) for token in framed(sentence)]
        for sentence in token_lists(sentences)
    ]
    lengths = [len(row) for row in rows]
    longest = max(lengths, default=2)
    index = torch.zeros(len(rows), longest, dtype=torch.long)
    for into, row in zip(index, rows, strict=True):
        into[: len(row)] = torch.tensor(row)
    return FramedBatch(list(numbers), index.T.contiguous(), lengths)


def framed(sentence: Iterable[str]) -> list[str]:
    """Return a sentence as the model reads it, between its boundaries."""
    return [BOS, *sentence, EOS]


def token_lists(sentences: Iterable[Iterable[str]]) -> list[list[str]]:
    """Return a batch as lists; refuse anything but sentences of tokens."""
    if isinstance(sentences, Tensor):
        raise TypeError(
            "expected sentences, not a tensor (of character ids?): this model spells the tokens "
            "itself, so give it lists of them, as in [['Hello', 'world']]"
        )
    batch = [_items(sentence) for sentence in _items(sentences)]
    for token in (token for sentence in batch for token in sentence):
        if not isinstance(token, str):
            raise TypeError(f"a token must be a string, not {type(token).__name__}: {token!r}")
    return batch


def batch_to_ids(sentences: Sequence[Sequence[str]], slots: int = 50) -> Tensor:
    """Return (B, T, M) as AllenNLP's function does: no boundaries yet, ids + 1, 0 = no token."""
    batch = token_lists(sentences)
    longest = max(map(len, batch), default=0)
    ids = torch.zeros(len(batch), longest, slots, dtype=torch.long)
    for row, sentence in zip(ids, batch, strict=True):
        row[: len(sentence)] = encode_words(sentence, slots) + 1
    return ids


def _items(found: object) -> list[Any]:
    if isinstance(found, str | bytes | Set | Mapping) or not isinstance(found, Iterable):
        raise TypeError(
            "a batch is a list of sentences, and a sentence a list of tokens, as in "
            f"[['Hello', 'world']]; {type(found).__name__} is not a list"
        )
    return list(found)
