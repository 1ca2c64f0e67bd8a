"""The true probabilities of the ambiguous grammar: what the best possible language model knows.

The grammar's own code draws the sentences; here the same code is run once for every way its dice
can fall, and what it says becomes the edges of a graph. A sentence is a path from the first state
to the last one, and sums over paths are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np

from course_utils.data.tagging.grammar import FRAMES, _Sentence
from course_utils.data.vocabulary import BEGIN, END

Frontier = dict[int, float]  # the states where the words so far may have led, with their odds
T = TypeVar("T")


class _Dice:
    """Dice that fall as they are told to, and remember how likely that was."""

    def __init__(self) -> None:
        self.told: list[int] = []
        self.sides: list[int] = []
        self.fallen = 0
        self.odds = 1.0

    def fall(self, odds: Sequence[float]) -> int:
        """Return the side that is told next; the first one where nothing is told yet."""
        if self.fallen == len(self.told):
            self.told.append(0)
            self.sides.append(len(odds))
        side = self.told[self.fallen]
        self.fallen += 1
        self.odds *= odds[side]
        return side

    def choice(self, sides: Sequence[T]) -> T:
        """Stand in for random.choice."""
        return sides[self.fall([1 / len(sides)] * len(sides))]

    def randint(self, least: int, most: int) -> int:
        """Stand in for random.randint."""
        return self.choice(range(least, most + 1))

    def next_way(self) -> bool:
        """Tell the next way to fall; False when there is none left."""
        self.fallen, self.odds = 0, 1.0
        while self.told and self.told[-1] == self.sides[-1] - 1:
            self.told.pop()
            self.sides.pop()
        if not self.told:
            return False
        self.told[-1] += 1
        return True


class _Graph(_Sentence):
    """Says every sentence at once: words become edges."""

    def __init__(self) -> None:
        self.edges: list[tuple[int, str, int, float]] = []
        self.states = 1
        self.frontier: Frontier = {0: 1.0}

    def pick(self, words: tuple[str, ...], tag: str) -> None:
        """Go to a new state by each of the words."""
        self.edges += [
            (state, word, self.states, odds / len(words))
            for state, odds in self.frontier.items()
            for word in words
        ]
        self.frontier = {self.states: 1.0}
        self.states += 1

    def say(self, word: str, tag: str) -> None:
        self.pick((word,), tag)

    def chance(self, p: float) -> bool:
        side: int = self.random.fall([p, 1 - p])  # type: ignore[attr-defined]  # our dice
        return side == 0

    def thing(self) -> None:
        """Say a thing in all its forms."""
        self.every_way(super().thing)

    def places(self, least: int = 0) -> None:
        """Say where, in all forms."""
        whole = super().places
        self.every_way(lambda: whole(least))

    def objects(self) -> None:
        """Say all objects there can be."""
        self.every_way(super().objects)

    def every_way(self, say: Callable[[], None]) -> None:
        """Say something for every way its own dice can fall, from here; then go on from all."""
        begun, outer, found = self.frontier, getattr(self, "random", None), Frontier()
        self.random = dice = _Dice()  # type: ignore[assignment]  # it chooses as Random does
        while True:
            self.frontier = begun
            say()
            for state, odds in self.frontier.items():
                found[state] = found.get(state, 0.0) + odds * dice.odds
            if not dice.next_way():
                break
        self.frontier, self.random = found, outer  # type: ignore[assignment]  # as it was


class Exact(NamedTuple):
    """Edge e goes from `first` to `last` by `word`; a state's edges have `odds` that sum to 1.

    State 0 is before a sentence, the last one behind its end mark. `visits` says how probable it is
    that a sentence comes through a state.
    """

    words: list[str]
    first: np.ndarray
    word: np.ndarray
    last: np.ndarray
    odds: np.ndarray
    visits: np.ndarray

    def ahead(self, alpha: np.ndarray, word: str) -> np.ndarray:
        """Go on by a word, from odds of being in each state."""
        e = self.word == self.words.index(word)
        moved = alpha[self.first[e]] * self.odds[e]
        found: np.ndarray = np.bincount(self.last[e], moved, len(alpha))
        return found

    def back(self, beta: np.ndarray, word: str) -> np.ndarray:
        """Go back by a word, from the odds of saying the rest out of each state."""
        e = self.word == self.words.index(word)
        found: np.ndarray = np.bincount(self.first[e], self.odds[e] * beta[self.last[e]], len(beta))
        return found

    def truth(self, sentence: Sequence[str]) -> Truth:
        """Return the true log p of every token, from the left and from the right."""
        alphas, betas = self._passes(sentence)
        forward = np.diff(np.log([alpha.sum() for alpha in alphas]))
        suffix = np.log([beta @ self.visits for beta in betas[:-1]])
        backward = np.concatenate([[np.log(betas[0][0]) - suffix[0]], -np.diff(suffix)])
        return Truth(forward, backward)

    def sides(self, sentence: Sequence[str]) -> list[Sides]:
        """Return which word may stand in each place: by the left side, the right one, both."""
        alphas, betas = self._passes(sentence)
        anywhere = self.visits[self.first]
        found = []
        for alpha, beta in zip(alphas[:-2], betas[1:-1], strict=True):
            left, right = alpha[self.first], beta[self.last]
            odds = left, anywhere * right, left * right, anywhere
            found.append(Sides(*map(self._by_word, odds)))
        return found

    def _passes(self, sentence: Sequence[str]) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Return the odds of each state before every token, and of the rest out of each state."""
        states, tokens = len(self.visits), [*sentence, END]
        alphas, betas = [np.eye(1, states)[0]], [np.eye(1, states, states - 1)[0]]
        for word in tokens:
            alphas.append(self.ahead(alphas[-1], word))
        for word in reversed(tokens):
            betas.insert(0, self.back(betas[0], word))
        return alphas, betas

    def _by_word(self, odds: np.ndarray) -> np.ndarray:
        found: np.ndarray = np.bincount(self.word, odds * self.odds, len(self.words))
        found[self.words.index(END)] = 0
        found /= found.sum()
        return found


class Truth(NamedTuple):
    """log p of every token of one sentence."""

    forward: np.ndarray  # (N + 1,): the words and END
    backward: np.ndarray  # (N + 1,): BEGIN and the words


class Sides(NamedTuple):
    """p of every word in one place (V,)."""

    left: np.ndarray
    right: np.ndarray
    both: np.ndarray
    anywhere: np.ndarray  # p(w), of no place in particular

    @property
    def joined(self) -> np.ndarray:
        """Return p(w | left) p(w | right) / p(w): both, if they met only in the word."""
        product = self.left * self.right / self.anywhere.clip(1e-300)
        joined: np.ndarray = product / product.sum()
        return joined


@lru_cache(maxsize=1)
def exact_grammar() -> Exact:
    """Return the graph of the ambiguous grammar."""
    graph = _Graph()
    graph.every_way(lambda: graph.random.choice(FRAMES)(graph))
    graph.pick((END,), "")
    words = sorted({word for _, word, _, _ in graph.edges} - {END})
    words = [BEGIN, END, *words]
    number = {word: n for n, word in enumerate(words)}
    first, last = (np.array([edge[n] for edge in graph.edges]) for n in (0, 2))
    word = np.array([number[edge[1]] for edge in graph.edges])
    odds = np.array([edge[3] for edge in graph.edges])
    rest = np.eye(1, graph.states, graph.states - 1)[0]  # the odds of all that may follow
    by_first = np.argsort(first, kind="stable")
    for edges in _groups(first, by_first)[::-1]:
        rest[first[edges[0]]] = odds[edges] @ rest[last[edges]]
    odds = odds * rest[last] / rest[first]
    visits = np.eye(1, graph.states)[0]
    for edges in _groups(first, by_first):
        np.add.at(visits, last[edges], visits[first[edges[0]]] * odds[edges])
    return Exact(words, first, word, last, odds, visits)


def _groups(first: np.ndarray, order: np.ndarray) -> list[np.ndarray]:
    """Return the edges out of each state, in the order of the states: edges lead to later ones."""
    found: list[np.ndarray] = np.split(order, np.flatnonzero(np.diff(first[order])) + 1)
    return found
