"""Lecture 10: an error that is gone, ELMo in a tagger, neighbours, a control task."""

from __future__ import annotations

import numpy as np
import torch


def _reduction(of):
    def relative_error_reduction(baseline, improved):
        return of(baseline, improved)

    return relative_error_reduction


def _elmo(weights, joined=None):
    def add_elmo(x, layers, s, gamma):
        mixed = gamma * torch.einsum("l,ltd->td", weights(s), layers)
        return torch.cat([x, mixed], -1) if joined is None else joined(x, mixed, gamma, layers)

    return add_elmo


def _shares(s):
    return torch.softmax(s, 0)


def _neighbours(score, allowed, pick=np.argmax, scale=1.0):
    def neighbour_accuracy(vectors, senses, clauses):
        v = np.asarray(vectors)
        table = score(v)
        right = []
        for n in range(len(senses)):
            row = [
                table[n, m]
                if allowed(n, m, clauses)
                else -np.inf * (1 if pick is np.argmax else -1)
                for m in range(len(senses))
            ]
            right.append(senses[int(pick(row))] == senses[n])
        return scale * float(np.mean(right))

    return neighbour_accuracy


def _cosine(v):
    length = np.linalg.norm(v, axis=1)
    return v @ v.T / length / length[:, None]


def _dot(v):
    return v @ v.T


def _near(v):
    return -np.linalg.norm(v[:, None] - v[None], axis=-1)


def _elsewhere(n, m, clauses):
    return clauses[n] != clauses[m]


def _not_itself(n, m, clauses):
    return n != m


def _labels(of):
    def control_labels(words, drawn):
        return of(list(words), list(drawn))

    return control_labels


WRONG = {
    "10.1": [
        _reduction(lambda b, i: 100 * (i - b) / b), _reduction(lambda b, i: i - b),
        _reduction(lambda b, i: (i - b) / (100 - b)), _reduction(lambda b, i: 100 * (i - b) / i),
        _reduction(lambda b, i: 100 * (i - b) / (100 - i)),
        _reduction(lambda b, i: 100 * (100 - i) / (100 - b)),
        _reduction(lambda b, i: 100 * (b - i) / (100 - b)),
        _reduction(lambda b, i: 100 * (1 - b / i)), _reduction(lambda b, i: (i - b) / b),
        _reduction(lambda b, i: abs(100 * (i - b) / (100 - b))),
    ],
    "10.2": [
        _elmo(lambda s: s), _elmo(lambda s: s / s.sum()), _elmo(lambda s: torch.ones_like(s)),
        _elmo(lambda s: torch.ones_like(s) / len(s)), _elmo(torch.sigmoid),
        _elmo(_shares, lambda x, m, g, ls: torch.cat([m, x], -1)),
        _elmo(_shares, lambda x, m, g, ls: torch.cat([x, m / g], -1)),
        _elmo(_shares, lambda x, m, g, ls: torch.cat([g * x, m], -1)),
        _elmo(_shares, lambda x, m, g, ls: torch.cat([x, g * ls[-1]], -1)),
        _elmo(_shares, lambda x, m, g, ls: m),
        _elmo(lambda s: torch.log_softmax(s, 0)),
    ],
    "10.5": [
        _neighbours(_cosine, lambda n, m, c: True), _neighbours(_cosine, _not_itself),
        _neighbours(_dot, _elsewhere), _neighbours(_near, _elsewhere),
        _neighbours(_cosine, _elsewhere, np.argmin), _neighbours(_dot, _not_itself),
        _neighbours(_near, _not_itself), _neighbours(_cosine, _elsewhere, scale=100.0),
        _neighbours(lambda v: -_near(v), _elsewhere),
    ],
    "10.4": [
        _labels(lambda w, d: d[: len(w)]), _labels(lambda w, d: [d[0]] * len(w)),
        _labels(lambda w, d: [
            d[[x.lower() for x in dict.fromkeys(w)].index(x.lower())] for x in w]),
        _labels(lambda w, d: [d[sorted(set(w)).index(x)] for x in w]),
        _labels(lambda w, d: [d[w.index(x)] for x in w]),
        _labels(lambda w, d: [list(dict.fromkeys(w)).index(x) for x in w]),
        _labels(lambda w, d: d[: len(set(w))]),
        _labels(lambda w, d: [d[len(x) % len(d)] for x in w]),
        _labels(lambda w, d: [0] * len(w)),
        _labels(lambda w, d: [d[len(w) - 1 - w[::-1].index(x)] for x in w]),
    ],
}  # fmt: skip
