"""Lecture 02: a walk back with two bugs, the fate of six, what evidence allows."""

from __future__ import annotations

import numpy as np
import torch

tanh = torch.tanh


# ── 2.7 a walk back with two bugs ─────────────────────────────────────────────────────────────────


def as_given(U, states, d_last):
    d_h = d_last
    for t in range(len(states) - 1, 0, -1):
        d_a = (1 - states[t] ** 2) * d_h
        d_U = torch.outer(d_a, states[t])
        d_h = U.T @ d_a
    return d_U


def only_added(U, states, d_last):
    d_h, d_U = d_last, 0
    for t in range(len(states) - 1, 0, -1):
        d_a = (1 - states[t] ** 2) * d_h
        d_U += torch.outer(d_a, states[t])
        d_h = U.T @ d_a
    return d_U


def only_the_index(U, states, d_last):
    d_h = d_last
    for t in range(len(states) - 1, 0, -1):
        d_a = (1 - states[t] ** 2) * d_h
        d_U = torch.outer(d_a, states[t - 1])
        d_h = U.T @ d_a
    return d_U


def every_index_moved(U, states, d_last):
    d_h, d_U = d_last, torch.zeros_like(U)
    for t in range(len(states) - 1, 0, -1):
        d_a = (1 - states[t - 1] ** 2) * d_h
        d_U += torch.outer(d_a, states[t - 1])
        d_h = U.T @ d_a
    return d_U


def walked_to_zero(U, states, d_last):
    d_h, d_U = d_last, torch.zeros_like(U)
    for t in range(len(states) - 1, -1, -1):
        d_a = (1 - states[t] ** 2) * d_h
        d_U += torch.outer(d_a, states[t - 1])
        d_h = U.T @ d_a
    return d_U


def stopped_at_two(U, states, d_last):
    d_h, d_U = d_last, torch.zeros_like(U)
    for t in range(len(states) - 1, 1, -1):
        d_a = (1 - states[t] ** 2) * d_h
        d_U += torch.outer(d_a, states[t - 1])
        d_h = U.T @ d_a
    return d_U


def transpose_taken_away(U, states, d_last):
    d_h, d_U = d_last, torch.zeros_like(U)
    for t in range(len(states) - 1, 0, -1):
        d_a = (1 - states[t] ** 2) * d_h
        d_U += torch.outer(d_a, states[t - 1])
        d_h = U @ d_a
    return d_U


def d_h_added_too(U, states, d_last):
    d_h, d_U = d_last, torch.zeros_like(U)
    for t in range(len(states) - 1, 0, -1):
        d_a = (1 - states[t] ** 2) * d_h
        d_U += torch.outer(d_a, states[t - 1])
        d_h = d_h + U.T @ d_a
    return d_U


def outer_turned(U, states, d_last):
    d_h, d_U = d_last, torch.zeros_like(U)
    for t in range(len(states) - 1, 0, -1):
        d_a = (1 - states[t] ** 2) * d_h
        d_U += torch.outer(states[t - 1], d_a)
        d_h = U.T @ d_a
    return d_U


def averaged(U, states, d_last):
    return repaired(U, states, d_last) / (len(states) - 1)


def forwards(U, states, d_last):
    d_h, d_U = d_last, torch.zeros_like(U)
    for t in range(1, len(states)):
        d_a = (1 - states[t] ** 2) * d_h
        d_U += torch.outer(d_a, states[t - 1])
        d_h = U.T @ d_a
    return d_U


def slope_by_tanh(U, states, d_last):
    d_h, d_U = d_last, torch.zeros_like(U)
    for t in range(len(states) - 1, 0, -1):
        d_a = (1 - tanh(states[t]) ** 2) * d_h
        d_U += torch.outer(d_a, states[t - 1])
        d_h = U.T @ d_a
    return d_U


def returned_inside(U, states, d_last):
    d_h, d_U = d_last, torch.zeros_like(U)
    for t in range(len(states) - 1, 0, -1):
        d_a = (1 - states[t] ** 2) * d_h
        d_U += torch.outer(d_a, states[t - 1])
        d_h = U.T @ d_a
        return d_U


def repaired(U, states, d_last):
    d_h, d_U = d_last, torch.zeros_like(U)
    for t in range(len(states) - 1, 0, -1):
        d_a = (1 - states[t] ** 2) * d_h
        d_U += torch.outer(d_a, states[t - 1])
        d_h = U.T @ d_a
    return d_U


def repaired_in_numpy(U, states, d_last):
    U, states, d_h = np.asarray(U), np.asarray(states), np.asarray(d_last)
    terms = []
    for after, before in zip(states[:0:-1], states[-2::-1], strict=True):
        d_a = (1 - after**2) * d_h
        terms.append(d_a[:, None] * before)
        d_h = d_a @ U
    return np.sum(terms, axis=0)


def repaired_by_columns(U, states, d_last):
    d_U, d_h = [[0.0] * len(U) for _ in U], d_last.tolist()
    rows = range(len(U))
    for t in range(len(states) - 1, 0, -1):
        d_a = [(1 - states[t][k].item() ** 2) * d_h[k] for k in rows]
        d_U = [[d_U[k][j] + d_a[k] * states[t - 1][j].item() for j in rows] for k in rows]
        d_h = [sum(U[k][j].item() * d_a[k] for k in rows) for j in rows]
    return d_U


# ── 2.6 and 2.8 choices as wholes ─────────────────────────────────────────────────────────────────


def _said(choices):
    return lambda: dict(zip("ABCDEF", choices.split(), strict=True))


def _all(letters, choice):
    return lambda: dict.fromkeys(letters, choice)


def by_radius_alone():
    return {"A": "explodes", "B": "explodes", "C": "stays", "D": "stays", "E": "explodes",
            "F": "stays"}  # fmt: skip


def by_slope_alone():
    return {"A": "vanishes", "B": "stays", "C": "vanishes", "D": "vanishes", "E": "vanishes",
            "F": "stays"}  # fmt: skip


def by_size_of_inputs():
    return {"A": "vanishes", "B": "explodes", "C": "stays", "D": "vanishes", "E": "vanishes",
            "F": "explodes"}  # fmt: skip


WRONG = {
    "2.4": [by_radius_alone, by_slope_alone, by_size_of_inputs, _all("ABCDEF", "vanishes"),
            _all("ABCDEF", "stays")],
    "2.6": [as_given, only_added, only_the_index, every_index_moved, walked_to_zero,
            stopped_at_two, transpose_taken_away, d_h_added_too, outer_turned, averaged, forwards,
            slope_by_tanh, returned_inside],
    "2.8": [lambda: {*"ABDF"}, lambda: {*"BDFE"}, lambda: {*"BDFG"}, lambda: {*"BCDF"},
            lambda: {*"DF"}, lambda: {*"BF"}, lambda: {*"BD"}, lambda: {*"ACEG"}],
}  # fmt: skip

RIGHT = {
    "2.4": [_said("VANISHES explodes Stays vanishes vanishes stays")],
    "2.6": [repaired, repaired_in_numpy, repaired_by_columns],
    "2.8": [lambda: ["F", "D", "B"], lambda: ("B", "D", "F"), lambda: frozenset("BDF")],
}  # fmt: skip
