"""Count n-grams, and share their probability with what was never seen: Kneser-Ney smoothing."""

from __future__ import annotations

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
    counts: Tensor  # how often; below the highest order, after how many different tokens; float64
    totals: Tensor  # per context, the sum of its children's counts
    kinds: Tensor  # per context, how many children have a count
    discount: float

    def find(self, contexts: Tensor, tokens: Tensor, V: int) -> Tensor:
        """Return the numbers of these k-grams, -1 for one (or a context) never seen."""
        wanted = contexts * V + tokens
        place = torch.searchsorted(self.keys, wanted).clamp(max=len(self.keys) - 1)
        return torch.where((self.keys[place] == wanted) & (contexts >= 0), place, -1)


class NGramLM(LanguageModel):
    """Interpolated Kneser-Ney (Chen & Goodman 1999, eq. 24), with sparse counts.

    p_k(w | context) = max(n - D_k, 0) / total + D_k kinds / total * p_{k-1}(w | shorter context)

    where n counts the k-gram at the highest order, and below it the different tokens before it;
    under p_1 lies 1 / V, so no token has probability zero. D_k = n_1 / (n_1 + 2 n_2).
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
                f"{len(numbers)} tokens hold no {self.order}-gram: take more text or a lower order"
            )
        keys, counts = self._count(numbers)
        contexts = [1, *(len(level) for level in keys)]
        rows = zip(keys, counts, contexts, strict=False)
        self.levels = [_level(k, n, there, self.V) for k, n, there in rows]
        return self

    def log_probs(self, tokens: Tokens) -> Tensor:
        """Return log p(token | the order - 1 before it) of every token but the first."""
        self._require_counts()
        text = self._text(tokens)
        ends = torch.zeros_like(text)  # number of the (k-1)-gram that ends at t; the empty one: 0
        p = torch.full(text.shape, 1 / self.V, dtype=torch.float64)
        for k, level in enumerate(self.levels, start=1):
            before = ends if k == 1 else torch.cat([ends.new_full((1,), -1), ends[:-1]])
            found = level.find(before, text, self.V)
            p = _interpolated(level, before, found, p)
            ends = found
        return p[1:].log()

    def read(self, tokens: Tensor, memory: Memory | None) -> tuple[Tensor, Memory]:
        """Remember the last order - 1 tokens; return log p(next) of each row."""
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

    def _count(self, tokens: Tensor) -> tuple[list[Tensor], list[Tensor]]:
        """Return the keys and the counts of every order."""
        ends = torch.zeros_like(tokens)
        all_keys: list[Tensor] = []
        counts: list[Tensor] = []
        for k in range(1, self.order + 1):
            before = ends if k == 1 else ends[:-1]  # the (k-1)-gram that ends just before
            keys, new_ends, count = torch.unique(
                before * self.V + tokens[k - 1 :], return_inverse=True, return_counts=True
            )
            if k > 1:  # each different k-gram is one more left neighbour of its last k - 1 tokens
                suffix = keys.new_empty(len(keys)).scatter_(0, new_ends, ends[1:])
                counts[-1] = torch.bincount(suffix, minlength=len(all_keys[-1]))
            all_keys.append(keys)
            counts.append(count)
            ends = new_ends
        return all_keys, counts

    def _require_counts(self) -> None:
        if not self.levels:
            raise ValueError("this model has counted nothing yet: call fit(tokens) first")


def _level(keys: Tensor, counts: Tensor, contexts: int, V: int) -> Level:
    parents = keys // V
    totals = torch.bincount(parents, weights=counts.double(), minlength=contexts)
    kinds = torch.bincount(parents[counts > 0], minlength=contexts).double()
    once, twice = int((counts == 1).sum()), int((counts == 2).sum())
    discount = once / (once + 2 * twice) if once and twice else 0.75
    return Level(keys, counts.double(), totals, kinds, discount)


def _interpolated(level: Level, contexts: Tensor, found: Tensor, lower: Tensor) -> Tensor:
    """Return p_k from p_{k-1}; a context that was never seen leaves the lower order's word."""
    total = torch.where(contexts >= 0, level.totals[contexts], 0)  # index -1 is replaced
    count = torch.where(found >= 0, level.counts[found], 0)
    own = (count - level.discount).clamp(min=0)
    p = (own + level.discount * level.kinds[contexts] * lower) / total.clamp(min=1)
    return torch.where(total > 0, p, lower)
