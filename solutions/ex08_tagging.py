"""Solutions of lecture 08."""

from __future__ import annotations

import torch


def reverse_within(x, lengths):
    rows = zip(x, lengths, strict=True)
    return torch.stack([torch.cat([row[:n].flip(0), row[n:]]) for row, n in rows])


def pool_words(h, scores, lengths):
    mask = torch.arange(h.shape[1]) < lengths[:, None]  # (B, T)
    words = mask.unsqueeze(-1)  # (B, T, 1)
    a = scores.masked_fill(~mask, -torch.inf).softmax(dim=1)
    return {
        "mean": (h * words).sum(dim=1) / lengths[:, None],
        "max": h.masked_fill(~words, -torch.inf).amax(dim=1),
        "attention": (a.unsqueeze(-1) * h).sum(dim=1),
    }


def both_ways(x, ahead, back, h_0):
    forward, backward = [], []
    h = k = h_0
    for x_t in x:
        h = ahead(x_t, h)
        forward.append(h)
    for x_t in x.flip(0):
        k = back(x_t, k)
        backward.append(k)
    pairs = zip(forward, backward[::-1], strict=True)  # turned: row t belongs to word t
    return torch.stack([torch.cat(pair) for pair in pairs])


def mean_loss(losses, lengths):
    mask = torch.arange(losses.shape[1]) < lengths[:, None]
    return losses[mask].mean()


def what_the_curve_allows():
    return {"A": "shown", "B": "open", "C": "refuted", "D": "open", "E": "open"}


def start_and_tune(classifier, language_model, loss, rates):
    weights = dict(classifier)
    for name in weights:
        if name in language_model:
            weights[name] = language_model[name]
        weights[name] = weights[name].clone().requires_grad_()
    loss(weights).backward()
    with torch.no_grad():
        return {name: w - rates[name] * w.grad for name, w in weights.items()}
