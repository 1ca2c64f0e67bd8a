"""Lecture 03: places to compare with, the bias for a half-life, gates by hand, four loops."""

from __future__ import annotations

import math
import random

import numpy as np
import torch

# ── 3.4 the places to compare with ────────────────────────────────────────────────────────────────


def every_unmarked(marks, position):
    return {k for k, marked in enumerate(marks) if not marked}


def the_marked(marks, position):
    return {k for k, marked in enumerate(marks) if marked}


def drawn_at_random(marks, position):
    rest = [k for k, marked in enumerate(marks) if not marked]
    return set(random.Random(1).sample(rest, sum(marks)))


def all_at_these_positions(marks, position):
    at = {position[k] for k, marked in enumerate(marks) if marked}
    return {k for k, marked in enumerate(marks) if not marked and position[k] in at}


def the_first_that_fits(marks, position):
    chosen = []
    for m, marked in enumerate(marks):
        if marked:
            fits = [k for k in range(len(marks)) if not marks[k] and position[k] == position[m]]
            chosen.append(fits[0])
    return chosen


def the_first_that_fits_as_a_set(marks, position):
    return set(the_first_that_fits(marks, position))


def behind_the_text(marks, position):
    return {k + len(marks) for k, marked in enumerate(marks) if marked}


def the_next_word(marks, position):
    return {k + 1 for k, marked in enumerate(marks) if marked}


def a_mask(marks, position):
    return [not marked for marked in marks]


def the_positions(marks, position):
    return {position[k] for k, marked in enumerate(marks) if marked}


def marked_not_excluded(marks, position):
    chosen = []
    for m, marked in enumerate(marks):
        if marked:
            fits = [k for k in range(len(marks)) if position[k] == position[m]]
            chosen.append(next(k for k in fits if k not in chosen))
    return set(chosen)


def an_empty_set(marks, position):
    return set()


def first_unmarked(marks, position):
    return [k for k, marked in enumerate(marks) if not marked][: sum(marks)]


def pairs(marks, position):
    return list(zip(sorted(the_marked(marks, position)), matched(marks, position), strict=True))


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


# ── 3.6 a bias for a half-life ────────────────────────────────────────────────────────────────────


def root_of_half(steps):
    return 0.5 ** (1 / steps)


def log_of_steps(steps):
    return math.log(steps)


def chrono(steps):
    return math.log(max(steps - 1, 1e-9))


def sign_turned(steps):
    f = 0.5 ** (1 / steps)
    return math.log((1 - f) / f)


def log_of_the_gate(steps):
    return math.log(0.5 ** (1 / steps))


def e_for_two(steps):
    f = math.exp(-1 / steps)
    return math.log(f / (1 - f))


def base_two(steps):
    f = 0.5 ** (1 / steps)
    return math.log2(f / (1 - f))


def base_ten(steps):
    f = 0.5 ** (1 / steps)
    return math.log10(f / (1 - f))


def straight_line(steps):
    f = 1 - 0.5 / steps
    return math.log(f / (1 - f))


def sigmoid_again(steps):
    f = 0.5 ** (1 / steps)
    return 1 / (1 + math.exp(-f))


def rest_only(steps):
    return -math.log(1 - 0.5 ** (1 / steps))


def half_over_steps(steps):
    return 0.5 / steps


def bias_in_torch(steps):
    return torch.logit(torch.tensor(0.5, dtype=torch.float64) ** (1 / steps))


def bias_by_powers(steps):
    return -math.log(2 ** (1 / steps) - 1)


def bias_in_numpy(steps):
    f = np.exp(np.log(0.5) / steps)
    return np.log(f) - np.log1p(-f)


# ── 3.7 biases ────────────────────────────────────────────────────────────────────────────────────


def _biases(open_, shut, **others):
    opened = {"count": "ifo", "hold": "f", "reset": "o", "swap": "io"} | others
    return lambda: {
        name: {gate: open_ if gate in gates else shut for gate in "ifo"}
        for name, gates in opened.items()
    }


# ── 3.5 four loops ────────────────────────────────────────────────────────────────────────────────


LOOPS = ("gates hear the memory", "h shows the old memory", "the fused layer",
         "c is squashed and stored")  # fmt: skip


def _loops(*order):
    return lambda: dict(zip("ABCD", (LOOPS[k] for k in order), strict=True))


WRONG = {
    "3.2": [every_unmarked, the_marked, drawn_at_random, all_at_these_positions,
            the_first_that_fits, the_first_that_fits_as_a_set, the_next_word,
            behind_the_text, a_mask,
            the_positions, marked_not_excluded, an_empty_set, first_unmarked, pairs],
    "3.3": [_loops(2, 1, 0, 3), _loops(0, 2, 1, 3), _loops(0, 1, 3, 2), _loops(3, 1, 2, 0),
            _loops(1, 0, 2, 3)],
    "3.5": [root_of_half, log_of_steps, chrono, sign_turned, log_of_the_gate, e_for_two, base_two,
            base_ten, straight_line, sigmoid_again, rest_only, half_over_steps],
    "3.7": [_biases(1.0, 0.0), _biases(5.0, -5.0), _biases(1.0, -1.0), _biases(12, -12, hold="fo"),
            _biases(12, -12, hold="if"), _biases(12, -12, reset="io"), _biases(12, -12, reset=""),
            _biases(12, -12, swap="ifo"), _biases(12, -12, swap="fo"), _biases(12, -12, count="io"),
            _biases(12, 0), _biases(-12, 12)],
}  # fmt: skip

RIGHT = {
    "3.2": [matched, matched_from_the_end],
    "3.3": [_loops(0, 1, 2, 3)],
    "3.5": [bias_in_torch, bias_by_powers, bias_in_numpy],
    "3.7": [_biases(10, -10), _biases(math.inf, -math.inf), _biases(torch.tensor(20.0), -9.5)],
}  # fmt: skip
