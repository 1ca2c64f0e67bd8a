"""Lecture 07: right answers in other styles, and what the evidence does not allow."""

from __future__ import annotations

import math

import numpy as np
import torch


def _said(choices):
    return lambda: dict(zip("ABCDE", choices.split(), strict=True))


def draw_with_a_loop(logits, temperature, point):
    z = [float(x) for x in logits]
    if temperature == 0:
        return z.index(max(z))
    e = [math.exp((x - max(z)) / temperature) for x in z]
    total = 0.0
    for number, x in enumerate(e):
        total += x / sum(e)
        if point < total:
            return number
    return len(z) - 1


def smoothed_by_walking(text, context, sign, V, alpha):
    n = hits = 0
    for k in range(len(text)):
        end = k + len(context)
        if text.startswith(context, k) and end < len(text):
            n += 1
            hits += text[end] == sign
    return (hits + alpha) / (n + alpha * V)


def split_by_counting(names, share):
    groups = {}
    for name in names:
        groups.setdefault(name.partition("/")[0], []).append(name)
    test = []
    for package in sorted(groups)[::-1]:
        if len(test) < share * len(names):
            test += groups[package]
    return tuple(n for n in names if n not in test), tuple(n for n in names if n in test)


def threshold_in_numpy(valid, valid_marks, test, test_marks):
    v, m, t, n = (np.asarray(x) for x in (valid, valid_marks, test, test_marks))
    candidates = np.unique(v)
    rates = [((v >= c) == m).mean() for c in candidates]
    best = candidates[int(np.argmax(rates))]
    return best, ((t >= best) == n).mean()


def read_without_brackets(model, number, text):
    row = torch.tensor([dict(number).get(s, 0) for s in text])
    return model(row.unsqueeze(0))


WRONG = {
    "7.6": [
        _said("open open open open open"),
        _said("shown shown refuted open refuted"),
        _said("shown open refuted shown refuted"),
        _said("shown open open open refuted"),
        _said("shown refuted refuted refuted refuted"),
        _said("shown open refuted open shown"),
    ]
}

RIGHT = {
    "7.1": [split_by_counting],
    "7.2": [smoothed_by_walking],
    "7.3": [draw_with_a_loop],
    "7.5": [threshold_in_numpy],
    "7.6": [_said("shown open refuted open refuted"), _said("SHOWN Open refuted OPEN refuted")],
    "7.7": [read_without_brackets],
}
