"""What a character CNN sees: filters and their letters, words spelled alike, misspellings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from random import Random
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import normalize

from course_utils.analysis.elmo.contextual import cut_out, slots_of
from course_utils.analysis.units.selectivity import area_under_curve
from course_utils.models.elmo.encoder import CharacterEncoder
from course_utils.settings import SEED

SHUFFLES = 5
AT_ONCE = 1024  # words whose responses are held: of all ten thousand they would take a gigabyte
ALPHABET = "abcdefghijklmnopqrstuvwxyz"


class Fired(NamedTuple):
    """One filter, what it fires on most in a word, and how strongly."""

    number: int  # among all filters
    width: int
    start: int  # first slot that it sees there
    letters: str
    strength: float  # standard deviations above its mean over the words of the index


class Spelled(NamedTuple):
    """A word's slots, and the filters that fire on it more than on other words."""

    word: str
    letters: list[str]  # one for each slot, boundaries included
    fired: list[Fired]  # strongest first


class ChosenFilter(NamedTuple):
    """The filter that tells marked words apart best; areas under the curve, 0.5 is chance."""

    number: int  # among all filters
    score: float  # on the words that did not choose it
    luck: Tensor  # (shuffles,) the same search with the marks dealt out at random


class LetterIndex:
    """Some words by what every filter finds in them, and by their vectors."""

    @torch.no_grad()
    def __init__(self, encoder: CharacterEncoder, words: Sequence[str]):
        if len(set(words)) < 2:
            raise ValueError("an index needs some words: how strong a filter fires is relative")
        self.encoder, self.words = encoder, list(words)
        self.place = {word: n for n, word in enumerate(self.words)}
        self.ids = encoder.ids_of(self.words)
        some = self.ids.split(AT_ONCE)
        best, start = zip(*(_fired(encoder, ids) for ids in some), strict=True)
        self.best, self.start = torch.cat(best), torch.cat(start)  # (N, F) each
        self.mean, self.spread = self.best.mean(0), self.best.std(0, correction=0).clamp(min=1e-3)
        self.vectors = normalize(torch.cat([encoder(ids) for ids in some]), dim=-1)  # (N, P)
        widths = encoder.options.filters
        self.width = torch.tensor([width for width, count in widths for _ in range(count)])  # (F,)

    @torch.no_grad()
    def spelled(self, word: str, top: int = 8) -> Spelled:
        """Return the filters that fire on a word more than on others, and on which letters."""
        ids = self.encoder.ids_of([word])
        best, start = _fired(self.encoder, ids)
        strength = (best[0] - self.mean) / self.spread
        fired = []
        for number in strength.topk(top).indices.tolist():
            width, where = int(self.width[number]), int(start[0, number])
            seen = cut_out(ids[0], where, width)
            fired.append(Fired(number, width, where, seen, float(strength[number])))
        return Spelled(word, slots_of(ids[0]), fired)

    def favourites(self, number: int, top: int = 8) -> list[tuple[str, str, float]]:
        """Return the strings on which a filter fires most, each once, with a word that has it."""
        strength = (self.best[:, number] - self.mean[number]) / self.spread[number]
        starts, width = self.start[:, number].tolist(), int(self.width[number])
        found: dict[str, tuple[str, float]] = {}
        for n in strength.argsort(descending=True).tolist():
            seen = cut_out(self.ids[n], starts[n], width)
            found.setdefault(seen, (self.words[n], float(strength[n])))
            if len(found) == top:
                break
        return [(seen, word, far) for seen, (word, far) in found.items()]

    def choose(self, has: Callable[[str], bool], shuffles: int = SHUFFLES) -> ChosenFilter:
        """Choose the filter that tells words with a mark apart on every other word; report it.

        It is reported on the words in between, beside what the same search finds in marks that
        mean nothing.
        """
        marks = torch.tensor([has(word) for word in self.words])
        number, score = self._searched(marks)
        chance = torch.Generator().manual_seed(SEED)
        dealt = (marks[torch.randperm(len(marks), generator=chance)] for _ in range(shuffles))
        return ChosenFilter(
            number, score, torch.tensor([self._searched(some)[1] for some in dealt])
        )

    def _searched(self, marks: Tensor) -> tuple[int, float]:
        number = int(area_under_curve(self.best[::2], marks[::2]).argmax())
        one = self.best[1::2, number : number + 1]
        return number, float(area_under_curve(one, marks[1::2])[0])

    @torch.no_grad()
    def nearest(self, word: str, top: int = 5) -> list[tuple[str, float]]:
        """Return the words of the index whose vectors are most like that of any word."""
        alike = self.vectors @ normalize(self.encoder(self.encoder.ids_of([word])), dim=-1)[0]
        if word in self.place:
            alike[self.place[word]] = -torch.inf
        best = alike.topk(min(top, len(self.words) - 1))
        numbers, cosines = best.indices.tolist(), best.values.tolist()
        return [(self.words[n], far) for n, far in zip(numbers, cosines, strict=True)]

    @torch.no_grad()
    def found_again(self, pairs: Sequence[tuple[str, str]], among: int = 1) -> float:
        """Return the share of (word, misspelling) whose word is among the nearest of the other."""
        wrong = normalize(self.encoder(self.encoder.ids_of([other for _, other in pairs])), dim=-1)
        alike = wrong @ self.vectors.T  # (pairs, N)
        right = torch.tensor([self.place[word] for word, _ in pairs])
        nearer = (alike > alike.gather(1, right[:, None])).sum(dim=1)
        return float((nearer < among).double().mean())


SLIPS: dict[str, Callable[[str, int, Random], str]] = {
    "a letter dropped": lambda word, at, _: word[:at] + word[at + 1 :],
    "a letter doubled": lambda word, at, _: word[:at] + word[at] + word[at:],
    "two exchanged": lambda word, at, _: word[:at] + word[at + 1] + word[at] + word[at + 2 :],
    "another letter": lambda word, at, chance: word[:at] + chance.choice(ALPHABET) + word[at + 1 :],
}


def misspelt(
    words: Sequence[str], slip: str, known: Collection[str], seed: int = SEED
) -> list[tuple[str, str]]:
    """Return (word, misspelling) with one slip inside the word, where that gives an unknown one."""
    chance, pairs = Random(seed), []
    for word in words:
        other = SLIPS[slip](word, chance.randrange(1, len(word) - 2), chance)
        if other not in known:
            pairs.append((word, other))
    return pairs


def _fired(encoder: CharacterEncoder, ids: Tensor) -> tuple[Tensor, Tensor]:
    """Return what every filter finds in words, before the activation, and where, (N, F) each."""
    found = [response.max(dim=-1) for response in encoder.filter_responses(ids)]
    return torch.cat([f.values for f in found], 1), torch.cat([f.indices for f in found], 1)
