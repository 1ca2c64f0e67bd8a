"""Vectors of the words used last, never more than a fixed number."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence

import torch
from torch import Tensor


class WordCache:
    """A table of word vectors that forgets the word whose last use lies furthest back."""

    def __init__(self, capacity: int):
        if capacity < 1:
            raise ValueError(f"a cache for {capacity} words keeps nothing: give it at least 1")
        self.capacity = capacity
        self.lock = threading.Lock()  # rows and table change together
        self.rows: OrderedDict[str, int] = OrderedDict()
        self.table: Tensor | None = None
        self.hits = self.misses = 0

    def __len__(self) -> int:
        return len(self.rows)

    def look_up(self, words: Sequence[str], encode: Callable[[list[str]], Tensor]) -> Tensor:
        """Return (N, P): known words from the table, the others from `encode`, which then stay."""
        with self.lock:
            return self._look_up(words, encode)

    def _look_up(self, words: Sequence[str], encode: Callable[[list[str]], Tensor]) -> Tensor:
        new = [word for word in words if word not in self.rows]
        self.misses += len(new)
        self.hits += len(words) - len(new)
        fresh = encode(new)  # (new, P)
        if self.table is None:
            with torch.inference_mode(False):  # a table that every later mode may write to
                self.table = torch.empty(
                    self.capacity, fresh.shape[1], dtype=fresh.dtype, device=fresh.device
                )
        vectors = fresh.new_empty(len(words), fresh.shape[1])
        number = {word: n for n, word in enumerate(new)}
        at = {True: [], False: []}
        source = {True: [], False: []}
        for n, word in enumerate(words):
            known = word not in number
            at[known].append(n)
            source[known].append(self.rows[word] if known else number[word])
            if known:
                self.rows.move_to_end(word)
        for known, table in ((True, self.table), (False, fresh)):
            if at[known]:
                place = torch.tensor([at[known], source[known]], device=fresh.device)
                vectors[place[0]] = table[place[1]]
        self._keep(new, fresh)
        return vectors

    def _keep(self, words: list[str], vectors: Tensor) -> None:
        kept = words[-self.capacity :]
        rows = []
        for word in kept:
            row = len(self.rows)
            if row == self.capacity:
                _, row = self.rows.popitem(last=False)
            self.rows[word] = row
            rows.append(row)
        if kept:
            self.table[torch.tensor(rows, device=vectors.device)] = vectors[
                len(words) - len(kept) :
            ]
