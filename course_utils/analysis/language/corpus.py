"""Speeches as word numbers, split for training, validating and testing language models."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor

from course_utils.data.english import english, token_stream
from course_utils.data.vocabulary import Vocabulary


class Corpus(NamedTuple):
    """Three texts as numbers, the words they are made of, and the notice to show with them."""

    words: Vocabulary
    train: Tensor  # (N,)
    valid: Tensor
    test: Tensor
    notice: str


def speeches(first: int, last: int, words: int) -> Corpus:
    """Return the speeches of these years; all but the most frequent words are one."""
    parts = english(first, last)
    streams = [token_stream(part) for part in (parts.train, parts.valid, parts.test)]
    vocabulary = Vocabulary.of(streams[0], size=words)
    train, valid, test = map(vocabulary.encode, streams)
    return Corpus(vocabulary, train, valid, test, parts.notice)
