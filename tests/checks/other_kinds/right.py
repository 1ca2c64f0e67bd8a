"""Right answers in other styles."""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import count

import numpy as np
import torch

from tests.checks.other_kinds.wrong import FAR, N, biases, gates

__all__ = ["biases", "gates"]  # for the lines below
SHORT_AND_FAR = [
    "ab",
    FAR,
    FAR[:-1],
    FAR + "b",
    FAR + "bb",
    "a" * (N - 1) + "ba" + "b" * (N - 1),
]


def in_numpy(U, states, d_last):
    U, states, d_h = np.asarray(U), np.asarray(states), np.asarray(d_last)
    terms = []
    for after, before in zip(states[:0:-1], states[-2::-1], strict=True):
        d_a = (1 - after**2) * d_h
        terms.append(d_a[:, None] * before)
        d_h = d_a @ U
    return np.sum(terms, axis=0)


def by_columns(U, states, d_last):
    d_U, d_h = [[0.0] * len(U) for _ in U], d_last.tolist()
    rows = range(len(U))
    for t in range(len(states) - 1, 0, -1):
        d_a = [(1 - states[t][k].item() ** 2) * d_h[k] for k in rows]
        d_U = [[d_U[k][j] + d_a[k] * states[t - 1][j].item() for j in rows] for k in rows]
        d_h = [sum(U[k][j].item() * d_a[k] for k in rows) for j in rows]
    return d_U


def matched(marks, position):
    chosen = []
    for m, marked in enumerate(marks):
        if marked:
            chosen.append(
                next(
                    k
                    for k in range(len(marks))
                    if not marks[k] and position[k] == position[m] and k not in chosen
                )
            )
    return chosen


def matched_from_the_end(marks, position):
    free = {}
    for k, marked in enumerate(marks):
        if not marked:
            free.setdefault(position[k], []).append(k)
    return {free[position[k]].pop() for k, marked in enumerate(marks) if marked}


def constant_in_torch(bias, renews):
    gate = torch.sigmoid(torch.tensor(float(bias)))
    return 1 / gate if renews else 1 / (1 - gate)


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


def by_default(words, drawn):
    number = count()
    label = defaultdict(lambda: drawn[next(number)])
    return [label[word] for word in words]


RIGHT = {
    "2.6": """
        d_U = d_U + => d_U +=
        in_numpy(U, states, d_last)
        by_columns(U, states, d_last)
    """,
    "3.2": """
        matched(marks, position)
        matched_from_the_end(marks, position)
    """,
    "3.5": """
        torch.logit(torch.tensor(0.5, dtype=torch.float64) ** (1 / steps))
        -math.log(2 ** (1 / steps) - 1)
        np.log(f := np.exp(np.log(0.5) / steps)) - np.log1p(-f)
    """,
    "3.7": """
        biases(10, -10)
        biases(math.inf, -math.inf)
        biases(torch.tensor(20.0), -9.5)
    """,
    "4.2": """
        1 + math.exp(-bias if renews else bias)
        constant_in_torch(bias, renews)
    """,
    "4.6": """
        torch.eye(H), torch.zeros(H)
        torch.nn.init.orthogonal_(torch.empty(H, H)), torch.zeros(H)
        np.linalg.qr(np.random.default_rng(0).normal(size=(H, H)))[0], np.zeros(H)
        [[float((j + 1) % H == k) for k in range(H)] for j in range(H)], [0.0] * H
    """,
    "5.2": """
        SHORT_AND_FAR
        {*SHORT_AND_FAR, "aabbb"}
    """,
    "5.3": """
        gates(40, 0, 20, -20)
        gates(30.0, 10.0, 1.0, -1.0)
        gates(np.float64(50), np.float64(5), 3, -3)
    """,
    "7.1": "split_by_counting(names, share)",
    "7.2": "smoothed_by_walking(text, context, sign, V, alpha)",
    "7.3": "draw_with_a_loop(logits, temperature, point)",
    "7.5": "threshold_in_numpy(valid, valid_marks, test, test_marks)",
    "7.9": "model(torch.tensor([dict(number).get(s, 0) for s in text]).unsqueeze(0))",
    "10.4": """
        by_default(words, drawn)
        tuple(drawn[[*dict.fromkeys(words)].index(word)] for word in words)
    """,
}
