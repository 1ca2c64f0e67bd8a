"""Tokens as character ids: UTF-8 bytes between boundary marks, always M slots."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

BOS, EOS = "<S>", "</S>"  # as tokens these two are the sentence boundaries, never letters

SENTENCE_START, SENTENCE_END, WORD_START, WORD_END, PADDING = 256, 257, 258, 259, 260


def bytes_of(token: str) -> Sequence[int]:
    """Return a token's UTF-8 bytes, dropping what cannot be encoded, or its boundary mark."""
    if token == BOS:
        return [SENTENCE_START]
    if token == EOS:
        return [SENTENCE_END]
    if not isinstance(token, str):
        raise TypeError(f"a token must be a string, not {type(token).__name__}: {token!r}")
    return token.encode("utf-8", "ignore")


def encode_words(words: Sequence[str], slots: int = 50, widest: int | None = None) -> Tensor:
    """Return the raw ids of words as (N, M), or fewer columns when `widest` filter is given.

    A filter gives the same value for every window that holds nothing but padding. So one such
    window is enough, and the columns after it need not be computed.
    """
    inner = [bytes_of(word)[: slots - 2] for word in words]
    longest = max(map(len, inner), default=0) + 2
    columns = slots if widest is None else min(slots, longest + widest)
    ids = torch.full((len(words), columns), PADDING)  # (N, M)
    if words:
        lengths = torch.tensor([len(b) for b in inner])
        ids[:, 0] = WORD_START
        letters = torch.tensor([byte for b in inner for byte in b], dtype=torch.long)
        inside = torch.arange(columns - 1) < lengths[:, None]  # (N, M-1)
        ids[:, 1:][inside] = letters
        ids[torch.arange(len(words)), lengths + 1] = WORD_END
    return ids
