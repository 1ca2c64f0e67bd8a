"""Look into contextual vectors (lectures 09, 10): layers and neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import normalize

from course_utils.models.elmo import BiLM, PackedBiLM
from course_utils.models.elmo.batch import token_lists
from course_utils.models.elmo.characters import (
    PADDING,
    SENTENCE_END,
    SENTENCE_START,
    WORD_END,
    WORD_START,
)

MARKS = {WORD_START: "⟨", WORD_END: "⟩", PADDING: "·", SENTENCE_START: "<S>", SENTENCE_END: "</S>"}


class SentenceLayers(NamedTuple):
    """How alike the tokens of one sentence are in each layer."""

    tokens: list[str]
    similarities: np.ndarray  # (L + 1, T, T), cosines


class Neighbour(NamedTuple):
    """A token in its sentence, and how near it is."""

    similarity: float  # cosine
    word: str
    before: list[str]
    after: list[str]
    sentence: int
    position: int


class Neighbours(NamedTuple):
    """A token in its sentence, and the tokens nearest to it in others."""

    query: Neighbour
    found: list[Neighbour]
    layer: int


@torch.no_grad()
def sentence_layers(bilm: BiLM | PackedBiLM, tokens: Sequence[str]) -> SentenceLayers:
    """Return the cosine of every two tokens of a sentence, layer by layer."""
    (tokens,) = token_lists([tokens])
    if not tokens:
        raise ValueError("a sentence without tokens has no layers to compare: give it some")
    vectors = normalize(bilm([tokens]).layers[:, 0], dim=-1)  # (L + 1, T, 2P)
    return SentenceLayers(tokens, (vectors @ vectors.transpose(1, 2)).float().cpu().numpy())


class ContextIndex:
    """Every token of some sentences by its vector, in one layer or in all of them."""

    def __init__(
        self,
        bilm: BiLM | PackedBiLM,
        sentences: Sequence[Sequence[str]],
        layer: int | None = -1,
    ):
        """Embed the sentences in one layer, or in every one (None); layer 0 is static."""
        self.bilm = bilm.packed()
        every = range(bilm.options.layers + 1)
        self.layers = list(every) if layer is None else [every[layer]]
        self.sentences = token_lists(sentences)
        lengths = torch.tensor([len(s) for s in self.sentences], dtype=torch.long)
        self.sentence = torch.repeat_interleave(torch.arange(len(lengths)), lengths)  # (N,)
        self.first = lengths.cumsum(0) - lengths  # where each sentence begins
        self.words = [word for sentence in self.sentences for word in sentence]
        numbers: dict[str, int] = {}
        self.number = torch.tensor(
            [numbers.setdefault(word.lower(), len(numbers)) for word in self.words],
            dtype=torch.long,
        )
        self.numbers = numbers  # of a word, whatever its case
        self.alike: dict[tuple[str, ...], list[int]] = {}
        for n, sentence in enumerate(self.sentences):
            self.alike.setdefault(tuple(sentence), []).append(n)
        self.vectors = self._embed(self.sentences)  # by layer, (N, 2P) each

    def uses(self, word: str) -> int:
        """Return how often a word stands in the sentences, whatever its case."""
        return int((self.number == self.numbers.get(word.lower(), -1)).sum())

    def nearest(
        self,
        tokens: Sequence[str],
        position: int,
        k: int = 5,
        same_word: bool = False,
        layer: int = -1,
    ) -> Neighbours:
        """Return the k tokens nearest to one token of a sentence, itself excluded.

        `same_word` looks only at other uses of the same word, whatever its case. `layer` is a
        layer of the model if all of them were embedded.
        """
        (tokens,) = token_lists([tokens])
        if not 0 <= position < len(tokens):
            raise ValueError(f"there is no token {position} in a sentence of {len(tokens)}")
        layer = self.layers[layer]
        vector = self._embed([tokens])[layer][position]
        number = self.numbers.get(tokens[position].lower(), -1)
        rows = (self.number == number).nonzero()[:, 0] if same_word else slice(None)
        similarity = vector.new_full((len(self.number),), -torch.inf)  # (N,)
        similarity[rows] = self.vectors[layer][rows] @ vector
        for n in self.alike.get(tuple(tokens), ()):
            similarity[self.first[n] + position] = -torch.inf
        best = similarity.topk(min(k, len(similarity)))
        found = [
            self._neighbour(similarity, n)
            for similarity, n in zip(best.values.tolist(), best.indices.tolist(), strict=True)
            if similarity > -torch.inf
        ]
        before, after = tokens[:position], tokens[position + 1 :]
        query = Neighbour(1.0, tokens[position], before, after, -1, position)
        return Neighbours(query, found, layer)

    def _neighbour(self, similarity: float, place: int) -> Neighbour:
        sentence = int(self.sentence[place])
        position = place - int(self.first[sentence])
        tokens = self.sentences[sentence]
        before, after = tokens[:position], tokens[position + 1 :]
        return Neighbour(similarity, tokens[position], before, after, sentence, position)

    @torch.no_grad()
    def _embed(self, sentences: list[list[str]], at_once: int = 64) -> dict[int, Tensor]:
        by_length = sorted(range(len(sentences)), key=lambda n: len(sentences[n]))
        lengths = torch.tensor([len(s) for s in sentences], dtype=torch.long)
        first = lengths.cumsum(0) - lengths
        width = 2 * self.bilm.options.projection
        found = {layer: torch.zeros(int(lengths.sum()), width) for layer in self.layers}
        for start in range(0, len(by_length), at_once):
            rows = by_length[start : start + at_once]
            layers = self.bilm([sentences[n] for n in rows]).layers
            for layer, into in found.items():
                vectors = normalize(layers[layer].float().cpu(), dim=-1)
                for n, own in zip(rows, vectors, strict=True):
                    into[first[n] : first[n] + len(sentences[n])] = own[: len(sentences[n])]
        return found


def slots_of(ids: Tensor) -> list[str]:
    """Return what stands in each slot of a word, up to its end."""
    letters = [_slot(int(number)) for number in ids]
    return letters[: letters.index(MARKS[WORD_END]) + 1]


def cut_out(ids: Tensor, start: int, width: int) -> str:
    """Return what stands in some neighbouring slots of a word."""
    return "".join(_slot(int(number)) for number in ids[start : start + width])


def _slot(number: int) -> str:
    if number in MARKS:
        return MARKS[number]
    return chr(number) if 32 <= number < 127 else f"{number:02x}"
