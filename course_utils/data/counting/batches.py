"""Texts of a counting language as numbers: what a network reads, and what may follow each step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from course_utils.data.counting.languages import Language


class CountingBatch(NamedTuple):
    """Texts to read, END before each: what may follow every symbol, and what is padding."""

    tokens: Tensor  # (T, B)
    allowed: Tensor  # (T, B, V) bool
    real: Tensor  # (T, B) bool


def reading(language: Language, texts: Sequence[str]) -> CountingBatch:
    """Return texts as a network reads them, the shorter ones padded with END."""
    one_by_one = [_one_text(language, text) for text in texts]
    tokens, allowed = (pad_sequence(list(parts)) for parts in zip(*one_by_one, strict=True))
    lengths = torch.tensor([len(text) + 1 for text in texts])
    return CountingBatch(tokens, allowed, torch.arange(len(tokens))[:, None] < lengths)


def members(language: Language, counts: Iterable[int]) -> CountingBatch:
    """Return the language's own texts, one for each n."""
    return reading(language, [language.member(n) for n in counts])


@lru_cache(maxsize=4096)
def _one_text(language: Language, text: str) -> tuple[Tensor, Tensor]:
    """Return the numbers of END and a text, (T,), and what may follow each, (T, V)."""
    number = {symbol: k for k, symbol in enumerate(language.symbols)}
    sets: dict[frozenset[str], int] = {}  # few, however long the text is
    which = [sets.setdefault(may, len(sets)) for may in language.allowed(text)]
    rows = torch.tensor([[symbol in may for symbol in number] for may in sets])
    return torch.tensor([0, *(number[letter] for letter in text)]), rows[which]
