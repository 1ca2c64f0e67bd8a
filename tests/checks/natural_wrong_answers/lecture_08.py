"""Lecture 08: lengths, pooling, two directions, a loss: what is written at the first try."""

from __future__ import annotations

import numpy as np
import torch


def _reverse(row):
    return lambda x, lengths: torch.stack([row(r, int(n)) for r, n in zip(x, lengths, strict=True)])


def _moved_to_the_end(r, n):
    return torch.cat([r[n:].flip(0), r[:n].flip(0)])


def _pools(mean=None, top=None, attention=None):
    def pool_words(h, scores, lengths):
        mask = torch.arange(h.shape[1]) < lengths[:, None]
        a = scores.masked_fill(~mask, -torch.inf).softmax(1)
        right = {
            "mean": (h * mask[..., None]).sum(1) / lengths[:, None],
            "max": h.masked_fill(~mask[..., None], -torch.inf).amax(1),
            "attention": (a[..., None] * h).sum(1),
        }
        wrong = {"mean": mean, "max": top, "attention": attention}
        own = {k: f(h, scores, lengths, mask) for k, f in wrong.items() if f}
        return {**right, **own}

    return pool_words


def _both(order=1, output=1, first="ahead", join=torch.cat, shared=False):
    def both_ways(x, ahead, back, h_0):
        T, h, k = len(x), h_0, h_0
        one, two = [], []
        for t in range(T):
            h = ahead(x[t], h)
            one.append(h)
        if shared:
            k = h
        for t in list(range(T))[::-1] if order else range(T):
            k = back(x[t], k)
            two.append(k)
        if output:
            two = two[::-1]
        rows = zip(one, two, strict=True) if first == "ahead" else zip(two, one, strict=True)
        return torch.stack([join(pair) for pair in rows])

    return both_ways


def _loss(of):
    return lambda losses, lengths: of(
        losses, lengths, torch.arange(losses.shape[1]) < lengths[:, None]
    )


WRONG = {
    "8.1": [
        lambda x, lengths: x.flip(1),
        lambda x, lengths: torch.flip(x, [-1]),
        lambda x, lengths: x.flip(0),
        lambda x, lengths: x,
        _reverse(_moved_to_the_end),
        _reverse(lambda r, n: torch.cat([r[: n - 1].flip(0), r[n - 1 :]])),
        lambda x, lengths: np.asarray(x)[:, ::-1].copy(),
        lambda x, lengths: torch.stack([r[: max(lengths)].flip(0) for r in x]),
    ],
    "8.4": [
        _pools(mean=lambda h, s, n, m: h.mean(1)),
        _pools(mean=lambda h, s, n, m: (h * m[..., None]).mean(1)),
        _pools(top=lambda h, s, n, m: (h * m[..., None]).amax(1)),
        _pools(top=lambda h, s, n, m: h.amax(1)),
        _pools(attention=lambda h, s, n, m: (s.softmax(1)[..., None] * h).sum(1)),
        _pools(attention=lambda h, s, n, m: ((s.softmax(1) * m)[..., None] * h).sum(1)),
        _pools(attention=lambda h, s, n, m: ((s * m).softmax(1)[..., None] * h).sum(1)),
        _pools(lambda h, s, n, m: h.mean(1), lambda h, s, n, m: h.amax(1),
               lambda h, s, n, m: (s.softmax(1)[..., None] * h).sum(1)),
    ],
    "8.2": [
        _both(output=0), _both(order=0, output=0), _both(order=0), _both(join=sum),
        _both(first="back"), _both(shared=True),
    ],
    "8.3": [
        _loss(lambda x, n, m: x.mean()),
        _loss(lambda x, n, m: (x * m).mean()),
        _loss(lambda x, n, m: ((x * m).sum(1) / n).mean()),
        _loss(lambda x, n, m: (x * m).sum() / len(x)),
        _loss(lambda x, n, m: (x * m).sum()),
        _loss(lambda x, n, m: x.sum() / n.sum()),
    ],
}  # fmt: skip
