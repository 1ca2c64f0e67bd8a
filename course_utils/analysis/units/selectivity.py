"""How well one number per token follows a label: a mark (area) or a number (correlation)."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

EDGES = 2048  # bin edges per unit for the values of a long text


def area_under_curve(scores: Tensor, marks: Tensor) -> Tensor:
    """Return, for each column of (T, H), how often a marked token scores above an unmarked one.

    A tie counts one half, so that 0.5 is chance whatever the scores are.
    """
    return areas_of(ranks_of(scores), marks.bool()[None])[0]


def areas_of(ranks: Tensor, marks: Tensor) -> Tensor:
    """Return the area of every unit under several sets of marks (S, T) from its ranks, (S, H)."""
    marked = marks.sum(dim=1, keepdim=True)  # (S, 1)
    others = marks.shape[1] - marked
    for there, left in zip(marked.flatten().tolist(), others.flatten().tolist(), strict=True):
        require_both(there, left)
    total = marks.double() @ ranks
    return (total - marked * (marked + 1) / 2) / (marked * others)


def ranks_of(scores: Tensor) -> Tensor:
    """Return each column's ranks, (T, H), from 1; equal values share the middle of theirs."""
    columns = np.ascontiguousarray(scores.T.numpy())  # NumPy sorts these five times as fast
    order = torch.from_numpy(np.argsort(columns, axis=1))
    ordered = torch.from_numpy(columns).gather(1, order)  # (H, T)
    place = torch.arange(ordered.shape[1])
    end = torch.ones(len(ordered), 1, dtype=torch.bool)
    new = ordered[:, 1:] != ordered[:, :-1]
    first = torch.where(torch.cat([end, new], dim=1), place, 0).cummax(dim=1).values
    last = torch.where(torch.cat([new, end], dim=1), place, len(place)).flip(1).cummin(dim=1).values
    ranks = (first + last.flip(1)).double() / 2 + 1
    return torch.empty_like(ranks).scatter_(1, order, ranks).T


def chance_of(labels: Tensor) -> float:
    """Return the score of a unit that knows nothing about these labels."""
    return Areas.chance if labels.dtype == torch.bool else Correlations.chance


def correlation(scores: Tensor, numbers: Tensor) -> Tensor:
    """Return Pearson's correlation of each column of (T, H) with one number a token, (H,)."""
    found = Correlations()
    found.add(scores, numbers[None])
    return found.values()[0]


def require_both(marked: int, others: int) -> None:
    """Refuse a comparison with an empty side."""
    if not marked or not others:
        raise ValueError(f"{marked} tokens are marked and {others} are not: both are needed")


class Areas:
    """`area_under_curve` of all units under several sets of marks, from a text read in pieces.

    Counts of values between edges are kept, not the values: the memory does not grow with the
    text. Exact up to EDGES tokens; of a longer text the first tokens give the edges, and values
    between the same two of them count as ties.
    """

    chance = 0.5

    def __init__(self) -> None:
        self.waiting: list[tuple[Tensor, Tensor]] = []  # until there are enough for the edges
        self.edges: Tensor | None = None

    def add(self, scores: Tensor, marks: Tensor) -> None:
        """Count the scores (P, H) of a piece under sets of marks (S, P)."""
        self.waiting.append((scores.T, marks))
        if self.edges is not None or sum(len(rows.T) for rows, _ in self.waiting) >= EDGES:
            self._count_waiting()

    def _count_waiting(self) -> None:
        scores, marks = (torch.cat(parts, dim=1) for parts in zip(*self.waiting, strict=True))
        self.waiting, scores = [], scores.contiguous()  # (H, P)
        edges = self._start(scores, len(marks)) if self.edges is None else self.edges
        # even numbers between two edges, odd ones on an edge: equal values share theirs
        place = torch.searchsorted(edges, scores)
        nearest = edges.gather(1, place.clamp(max=edges.shape[1] - 1))
        bins = 2 * place + (nearest == scores) + torch.arange(len(scores))[:, None] * self.bins
        _count(self.all, bins)
        for counts, marked in zip(self.marked, marks.bool(), strict=True):
            _count(counts, bins[:, marked])

    def _start(self, scores: Tensor, sets: int) -> Tensor:
        H, P = scores.shape
        ordered = scores.sort(dim=1).values
        if P > EDGES:
            ordered = ordered[:, torch.linspace(0, P - 1, EDGES).long()]
        self.edges = ordered.contiguous()  # (H, at most EDGES)
        self.bins = 2 * ordered.shape[1] + 1
        self.all = torch.zeros(H, self.bins, dtype=torch.int32)
        self.marked = torch.zeros(sets, H, self.bins, dtype=torch.int32)
        return self.edges

    def values(self) -> Tensor:
        """Return the area of every unit under every set of marks, (S, H)."""
        if self.waiting:
            self._count_waiting()
        if self.edges is None:
            require_both(0, 0)
        found = []
        for counts in self.marked:
            marked = counts.double()
            others = self.all.double() - marked
            require_both(int(marked[0].sum()), int(others[0].sum()))
            below = others.cumsum(dim=1) - others / 2  # ties count one half
            pairs = marked[0].sum() * others[0].sum()
            found.append((marked * below).sum(dim=1) / pairs)
        return torch.stack(found)


class Correlations:
    """`correlation` of all units with several labels, from a text read in pieces."""

    chance = 0.0

    def __init__(self) -> None:
        self.count = 0

    def add(self, scores: Tensor, numbers: Tensor) -> None:
        """Count the scores (P, H) of a piece beside labels (S, P)."""
        x, y = scores.double(), numbers.double()
        if not len(x):
            return
        if not self.count:  # near the mean, so that differences of large sums lose nothing
            self.x_0, self.y_0 = x.mean(dim=0), y.mean(dim=1, keepdim=True)
            self.x, self.xx = (torch.zeros_like(self.x_0) for _ in range(2))  # (H,)
            self.y, self.yy = (torch.zeros_like(self.y_0) for _ in range(2))  # (S, 1)
            self.yx = y.new_zeros(len(y), x.shape[1])  # (S, H)
        x, y = x - self.x_0, y - self.y_0
        self.count += len(x)
        self.x += x.sum(dim=0)
        self.xx += (x * x).sum(dim=0)
        self.y += y.sum(dim=1, keepdim=True)
        self.yy += (y * y).sum(dim=1, keepdim=True)
        self.yx += y @ x

    def values(self) -> Tensor:
        """Return the correlation of every unit with every label, (S, H); 0 where nothing varies."""
        if not self.count:
            raise ValueError("no token counts: there is nothing to follow")
        together = self.yx - self.y * self.x / self.count
        varies_y = self.yy - self.y**2 / self.count
        if (varies_y <= 0).any():
            raise ValueError("every token has the same number: there is nothing to follow")
        apart = ((self.xx - self.x**2 / self.count) * varies_y).clamp(min=0).sqrt()
        return torch.where(apart > 0, together / apart, 0.0)


def _count(counts: Tensor, places: Tensor) -> None:
    flat = places.flatten()
    counts.view(-1).index_add_(0, flat, torch.ones(len(flat), dtype=counts.dtype))
