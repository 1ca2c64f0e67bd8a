"""Solutions of lecture 09."""

from __future__ import annotations

import torch
from torch.nn.functional import cross_entropy


def bilm_loss(ahead, back, tokens):
    # the last row of `ahead` and the first of `back` have nothing left to predict
    return cross_entropy(ahead[:-1], tokens[1:]) + cross_entropy(back[1:], tokens[:-1])


def highway(x, W_g, b_g, W_t, b_t):
    g = torch.sigmoid(x @ W_g.T + b_g)
    t = torch.relu(x @ W_t.T + b_t)
    return g * t + (1 - g) * x


def peeking(sight, direction):
    far = sight.triu(1) if direction == "forward" else sight.tril(-1)  # what may not be read
    return [k for k, row in enumerate(far) if (row != 0).any()]


def count_embeddings(sentences, word, L):
    uses = {(tuple(s), k) for s in sentences for k, token in enumerate(s) if token == word}
    return L * len(uses) + (1 if uses else 0)  # layer 0 has one for all uses


def scalar_mix(layers, w, gamma):
    s = torch.softmax(w, dim=0)
    return gamma * sum(s_j * layer for s_j, layer in zip(s, layers, strict=True))


def count_bilm_parameters(D, filters, H, P, C, L):
    F = sum(count for _, count in filters)
    letters = 261 * D + sum(count * (width * D + 1) for width, count in filters)
    highways = H * 2 * (F * F + F)
    projection = F * P + P
    lstm = 4 * C * (P + P + 1) + C * P
    return letters + highways + projection + 2 * L * lstm
