"""Lecture 09: a highway layer, outputs that peek, embeddings, a mix, parameters."""

from __future__ import annotations

import torch


def _layer(of):
    def highway(x, W_g, b_g, W_t, b_t):
        g = torch.sigmoid(x @ W_g.T + b_g)
        return of(g, torch.relu(x @ W_t.T + b_t), x, x @ W_t.T + b_t)

    return highway


def _peeks(allowed, axis=1, least=0.0, first=0):
    def peeking(sight, direction):
        T = len(sight)
        found = set()
        for k in range(T):
            for j in range(T):
                if not allowed(k, j, direction) and sight[k, j] > least:
                    found.add((k if axis else j) + first)
        return sorted(found)

    return peeking


def _right(k, j, direction):
    return j <= k if direction == "forward" else j >= k


def _embeddings(of):
    def count_embeddings(sentences, word, L):
        uses = [(s, k) for s in sentences for k, token in enumerate(s) if token == word]
        return of(uses, len({(tuple(s), k) for s, k in uses}), L)

    return count_embeddings


def _mix(of):
    def scalar_mix(layers, w, gamma):
        return of(layers, w, gamma, torch.softmax(w, dim=0))

    return scalar_mix


def _size(lstm=lambda P, C: 4 * C * (2 * P + 1) + C * P, letters=261, gates=2, stacks=2, bias=1,
          down=1, up=0):  # fmt: skip
    def count_bilm_parameters(D, filters, H, P, C, L):
        F = sum(n for _, n in filters)
        total = letters * D + sum(n * (w * D + bias) for w, n in filters)
        total += H * gates * (F * F + bias * F) + down * (F * P + P)
        return total + stacks * L * lstm(P, C) + up * P

    return count_bilm_parameters


def _weighed(layers, s):
    return sum(s_j * layer for s_j, layer in zip(s, layers, strict=True))


WRONG = {
    "9.1": [
        _layer(lambda g, t, x, raw: g * x + (1 - g) * t), _layer(lambda g, t, x, raw: g * t + x),
        _layer(lambda g, t, x, raw: g * t), _layer(lambda g, t, x, raw: g * raw + (1 - g) * x),
        _layer(lambda g, t, x, raw: g * torch.tanh(raw) + (1 - g) * x),
        _layer(lambda g, t, x, raw: g * torch.sigmoid(raw) + (1 - g) * x),
        _layer(lambda g, t, x, raw: t + (1 - g) * x),
        _layer(lambda g, t, x, raw: g * t + (1 - t) * x),
        lambda x, W_g, b_g, W_t, b_t: (
            torch.sigmoid(x @ W_g + b_g) * torch.relu(x @ W_t + b_t)
            + (1 - torch.sigmoid(x @ W_g + b_g)) * x
        ),
    ],
    "9.2": [
        _peeks(lambda k, j, d: j < k if d == "forward" else j > k),
        _peeks(lambda k, j, d: j <= k), _peeks(_right, axis=0), _peeks(_right, least=0.01),
        _peeks(_right, first=1), _peeks(lambda k, j, d: j >= k if d == "forward" else j <= k),
        _peeks(lambda k, j, d: j != k + 1 if d == "forward" else j != k - 1),
        lambda sight, direction: [k for k in range(len(sight)) if sight[k].sum() > 0],
    ],
    "9.3": [
        _embeddings(lambda uses, n, L: 1), _embeddings(lambda uses, n, L: L + 1),
        _embeddings(lambda uses, n, L: len(uses)), _embeddings(lambda uses, n, L: n),
        _embeddings(lambda uses, n, L: (L + 1) * len(uses)),
        _embeddings(lambda uses, n, L: (L + 1) * n), _embeddings(lambda uses, n, L: L * n),
        _embeddings(lambda uses, n, L: (2 * L + 1) * n),
        _embeddings(lambda uses, n, L: bool(uses) + 2 * L * n),
        _embeddings(lambda uses, n, L: bool(uses) + L * len(uses)),
    ],
    "9.4": [
        _mix(lambda layers, w, gamma, s: gamma * _weighed(layers, w)),
        _mix(lambda layers, w, gamma, s: _weighed(layers, s)),
        _mix(lambda layers, w, gamma, s: gamma * layers.mean(0)),
        _mix(lambda layers, w, gamma, s: gamma * _weighed(layers, s) / len(layers)),
        _mix(lambda layers, w, gamma, s: gamma * _weighed(layers, w / w.sum())),
        _mix(lambda layers, w, gamma, s: gamma + _weighed(layers, s)),
        _mix(lambda layers, w, gamma, s: _weighed(layers, torch.softmax(gamma * w, 0))),
        _mix(lambda layers, w, gamma, s: gamma * layers[-1]),
        _mix(lambda layers, w, gamma, s: gamma * torch.softmax(_weighed(layers, w), -1)),
    ],
    "9.5": [
        _size(stacks=1), _size(gates=1), _size(lstm=lambda P, C: 4 * C * (2 * P + 1)),
        _size(lstm=lambda P, C: 4 * C * (2 * P + 2) + C * P), _size(letters=256), _size(down=0),
        _size(lstm=lambda P, C: 4 * C * (P + C + 1) + C * P), _size(letters=262),
        _size(lstm=lambda P, C: 4 * C * 2 * P + C * P), _size(bias=0),
        _size(lstm=lambda P, C: 4 * C * (2 * P + 1) + C * P + P),
    ],
}  # fmt: skip
