"""Spaces that give every use of a word a vector, and how often neighbours there share its sense."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.elmo.contextual import ContextIndex
from course_utils.analysis.using_elmo.probes import speech_sentences
from course_utils.data.using_elmo.senses import Use
from course_utils.models.elmo import BiLM, PackedBiLM
from course_utils.models.nearest import sense_accuracy
from course_utils.models.static_vectors import StaticVectors
from course_utils.settings import SEED

AT_ONCE = 64
TOKENS = 60_000  # of the speeches: all their sentences up to here


class WordRights(NamedTuple):
    """How often the nearest use of a word has its sense, word by word and over all."""

    words: list[str]
    rights: list[float]

    @property
    def mean(self) -> float:
        """Return the mean over words: every word counts the same."""
        return sum(self.rights) / len(self.rights)


class SenseSpace:
    """Uses with gold senses, ready to be asked in any space."""

    def __init__(self, uses: Sequence[Use]):
        self.uses = list(uses)
        self.words = list(dict.fromkeys(use.word for use in uses))
        self.word = torch.tensor([self.words.index(use.word) for use in uses])
        names = list(dict.fromkeys((use.word, use.sense) for use in uses))
        self.sense = torch.tensor([names.index((use.word, use.sense)) for use in uses])
        self.clause = torch.tensor([use.clause for use in uses])

    @property
    def chance(self) -> float:
        """Return how often a use of the same word in another clause, drawn blindly, is right."""
        return self.ask(torch.ones(len(self.uses), 1)).mean

    @torch.no_grad()
    def layers(self, bilm: BiLM | PackedBiLM) -> Tensor:
        """Return every use's vector in every layer, (L + 1, N, 2P)."""
        found = []
        for first in range(0, len(self.uses), AT_ONCE):
            some = self.uses[first : first + AT_ONCE]
            layers = bilm([use.tokens for use in some]).layers.float()
            found.append(torch.stack([layers[:, b, u.position] for b, u in enumerate(some)], 1))
        return torch.cat(found, dim=1)

    def ask(self, vectors: Tensor) -> WordRights:
        """Ask each use (N, D) for the nearest use of its word in another clause."""
        rights = sense_accuracy(vectors, self.word, self.sense, self.clause)
        by_word = [rights[self.word == n].mean().item() for n in range(len(self.words))]
        return WordRights(self.words, by_word)

    def lead(self, ours: Tensor, theirs: Tensor, draws: int = 1000) -> Tensor:
        """Return how far one space is ahead of another if the clauses are drawn anew, (draws,).

        The uses of a clause resemble each other: clauses, not uses, are what is drawn by chance.
        """
        asked = self.word, self.sense, self.clause
        ahead = sense_accuracy(ours, *asked) - sense_accuracy(theirs, *asked)  # (N,)
        dice, of_words = torch.Generator().manual_seed(SEED), []
        for n in range(len(self.words)):
            own = self.word == n
            clauses = self.clause[own].unique()
            gains = torch.stack([ahead[own & (self.clause == c)].mean() for c in clauses])
            drawn = torch.randint(len(gains), (draws, len(gains)), generator=dice)
            of_words.append(gains[drawn].mean(dim=1))
        return torch.stack(of_words).mean(dim=0)


def words_right(space: SenseSpace, layers: Tensor, weights: Sequence[float]) -> WordRights:
    """Ask in a mix of layers (L + 1, N, D) with weights that somebody has set by hand."""
    total = sum(weights)
    shares = torch.tensor([w / total if total else 1 / len(weights) for w in weights])
    return space.ask(torch.tensordot(shares, layers, dims=1))


def window_vectors(uses: Sequence[Use], table: StaticVectors, width: int) -> Tensor:
    """Return the mean of the static vectors of at most `width` words on either side, (N, D)."""
    rows = []
    for use in uses:
        first = max(0, use.position - width)
        beside = [*use.tokens[first : use.position], *use.tokens[use.position + 1 :][:width]]
        rows.append(table.of(word.lower() for word in beside).mean(dim=0))
    return torch.stack(rows)


@lru_cache(maxsize=1)
def speeches_index() -> ContextIndex:
    """Return speeches that the biLM has not read, by their vectors in all layers: some seconds."""
    read, tokens = [], 0
    for sentence in speech_sentences("test"):
        if tokens < TOKENS:
            read.append(sentence)
            tokens += len(sentence)
    return ContextIndex(BiLM.from_pretrained(), read, None)
