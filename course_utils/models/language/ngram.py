"""Count n-grams, and leave some probability for those never seen: Kneser-Ney smoothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.models.language.language_model import (
    LanguageModel,
    Memory,
    TokenNumbers,
    Tokens,
    check_vocabulary,
)


class Level(NamedTuple):
    """All k-grams of the training text, as children of their (k-1)-gram contexts."""

    keys: Tensor  # sorted: number of the context * V + last token
    counts: Tensor  # occurrences; below the highest order, different left neighbours; float64
    totals: Tensor  # per context, the sum of its children's counts
    kinds: Tensor  # per context, how many children have a nonzero count
    discount: float

    def find(self, contexts: Tensor, tokens: Tensor, V: int) -> Tensor:
        """Return the numbers of these k-grams, -1 if the k-gram or its context was never seen."""
        wanted = contexts * V + tokens
        place = torch.searchsorted(self.keys, wanted).clamp(max=len(self.keys) - 1)
        return torch.where((self.keys[place] == wanted) & (contexts >= 0), place, -1)


class NGramLM(LanguageModel):
    """Interpolated Kneser-Ney (Chen & Goodman 1999, eq. 24), with sparse counts.

    p_k(w | context) = max(n - D_k, 0) / total + D_k kinds / total * p_{k-1}(w | shorter context)

    where n counts the k-gram itself at the highest order, and the different tokens before it at
    lower orders. p_1 backs off to 1 / V: no token has probability zero. D_k = n_1 / (n_1 + 2 n_2).
    """

    def __init__(self, vocabulary: int | TokenNumbers, order: int = 3):
        if order < 1:
            raise ValueError(f"order must be at least 1 (single tokens), not {order}")
        self.vocabulary, self.order = check_vocabulary(vocabulary), order
        self.levels: list[Level] = []

    def fit(self, tokens: Tokens) -> NGramLM:
        """Count a text; return self."""
        if len(tokens) == 0:
            raise ValueError("the corpus is empty: there is nothing to count")
        numbers = self.numbers(tokens)
        if len(numbers) < self.order:
            raise ValueError(
                f"{len(numbers)} tokens hold no {self.order}-gram: use more text or a lower order"
            )
        rows = islice(count_grams(numbers, self.V), self.order)
        self.levels, highest = [], next(rows)
        for longer in rows:
            self.levels.append(highest.level(self.V, longer.before))
            highest = longer
        self.levels.append(highest.level(self.V, highest.counts))
        return self

    def log_probs(self, tokens: Tokens) -> Tensor:
        """Return log p(token | the order - 1 before it) for every token except the first."""
        self._require_counts()
        text = self._text(tokens)
        read = Seen.nothing(text, self.V)
        for level in self.levels:
            read = read.through(level, text, self.V)
        return read.p[1:].log()

    def read(self, tokens: Tensor, memory: Memory | None) -> tuple[Tensor, Memory]:
        """Remember the last order - 1 tokens; return log p(next) for each row."""
        self._require_counts()
        if memory is None:
            memory = (tokens.new_full((1, len(tokens), self.order), -1),)  # -1: before the start
        recent = torch.cat([memory[0][..., 1:], tokens[None, :, None]], dim=-1)  # (1, B, order)
        contexts, place = torch.unique(recent[0], dim=0, return_inverse=True)
        rows = torch.stack([self._distribution(context[1:]) for context in contexts])
        return rows[place].log(), (recent,)

    def _distribution(self, context: Tensor) -> Tensor:
        """Return p(next token) after a context of order - 1 tokens, (V,)."""
        p = torch.full((self.V,), 1 / self.V, dtype=torch.float64)
        for k, level in enumerate(self.levels, start=1):
            node = self._number(context[len(context) - k + 1 :])
            if node < 0 or level.totals[node] == 0:
                break
            ends = torch.tensor([node * self.V, (node + 1) * self.V])
            first, last = torch.searchsorted(level.keys, ends).tolist()
            total = level.totals[node]
            p = p * (level.discount * level.kinds[node] / total)
            found = (level.counts[first:last] - level.discount).clamp(min=0) / total
            p[level.keys[first:last] - node * self.V] += found
        return p

    def _number(self, context: Tensor) -> int:
        """Return the number of this (k-1)-gram, -1 if it was never seen."""
        node = torch.zeros((), dtype=torch.long)
        for level, token in zip(self.levels, context, strict=False):
            node = torch.where(token < 0, -1, level.find(node, token, self.V))
        return int(node)

    def _require_counts(self) -> None:
        if not self.levels:
            raise ValueError("this model has counted nothing yet: call fit(tokens) first")


class Grams(NamedTuple):
    """All k-grams of a text, how often each occurs, and what comes before the shorter ones."""

    keys: Tensor  # sorted: number of the context * V + last token
    counts: Tensor
    before: Tensor  # for each (k-1)-gram, how many different tokens come before it

    def level(self, V: int, counts: Tensor) -> Level:
        """Return what a model keeps of these, with the counts that it uses."""
        parents, contexts = self.keys // V, len(self.before)
        totals = torch.bincount(parents, weights=counts.double(), minlength=contexts)
        kinds = torch.bincount(parents[counts > 0], minlength=contexts).double()
        once, twice = int((counts == 1).sum()), int((counts == 2).sum())
        discount = once / (once + 2 * twice) if once and twice else 0.75
        return Level(self.keys, counts.double(), totals, kinds, discount)


def count_grams(tokens: Tensor, V: int) -> Iterator[Grams]:
    """Count the 1-grams of a text, then the 2-grams, and so on, without keeping any."""
    ends, contexts = torch.zeros_like(tokens), 1  # number of the (k-1)-gram that ends at each token
    for k in count(1):
        keys, new_ends, counts = torch.unique(
            ends[: len(tokens) - k + 1] * V + tokens[k - 1 :],
            return_inverse=True,
            return_counts=True,
        )
        # every distinct k-gram gives its last k - 1 tokens one more left neighbour
        suffix = keys.new_empty(len(keys)).scatter_(0, new_ends, ends[k > 1 :])
        yield Grams(keys, counts, torch.bincount(suffix, minlength=contexts))
        ends, contexts = new_ends, len(keys)


class Seen(NamedTuple):
    """A text as seen by the levels so far, orders 1 to k."""

    ends: Tensor  # (T,) number of the k-gram that ends at each token, -1 where it was never seen
    p: Tensor  # (T,) p(token | the k - 1 before it)
    begun: bool = True

    @classmethod
    def nothing(cls, text: Tensor, V: int) -> Seen:
        """Return what is known before any counting: all tokens are equally likely."""
        return cls(
            torch.zeros_like(text), torch.full(text.shape, 1 / V, dtype=torch.float64), False
        )

    def through(self, level: Level, text: Tensor, V: int) -> Seen:
        """Look one token further back; where that context was never seen, keep the shorter's p."""
        before = self.ends
        if self.begun:
            before = torch.cat([self.ends.new_full((1,), -1), self.ends[:-1]])
        found = level.find(before, text, V)
        total = torch.where(before >= 0, level.totals[before], 0)  # index -1 is replaced
        counts = torch.where(found >= 0, level.counts[found], 0)
        own = (counts - level.discount).clamp(min=0)
        p = (own + level.discount * level.kinds[before] * self.p) / total.clamp(min=1)
        return Seen(found, torch.where(total > 0, p, self.p))


def log_probs_by_order(text: Tensor, asked: Sequence[Tensor], V: int) -> Iterator[list[Tensor]]:
    """Yield log p of each asked text under the model of order 1, then of order 2, and so on.

    The result is that of `NGramLM(V, order).fit(text).log_probs(own)`, but the text is counted
    once for all orders, and at most two orders are in memory.
    """

    def seen(level: Level) -> list[Seen]:
        return [read.through(level, own, V) for read, own in zip(reads, asked, strict=True)]

    reads, highest = [Seen.nothing(own, V) for own in asked], None
    for longer in count_grams(text, V):
        if highest is not None:
            reads = seen(highest.level(V, longer.before))
        highest = longer
        yield [read.p[1:].log() for read in seen(highest.level(V, highest.counts))]
