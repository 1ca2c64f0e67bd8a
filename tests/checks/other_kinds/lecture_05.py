"""Lecture 05: a counter by hand, evidence of three networks, texts that catch cheats."""

from __future__ import annotations

import numpy as np

# ── 5.3 a counter ─────────────────────────────────────────────────────────────────────────────────


def forgets():
    return {"f": 3.0, "i": 40.0, "g_a": 1.0, "g_b": -1.0}


def forgets_slowly():
    return {"f": 8.0, "i": 40.0, "g_a": 20.0, "g_b": -20.0}


def sigmoid_values():
    return {"f": 1.0, "i": 1.0, "g_a": 1.0, "g_b": -1.0}


def shut():
    return {"f": 40.0, "i": -40.0, "g_a": 20.0, "g_b": -20.0}


def never_down():
    return {"f": 40.0, "i": 40.0, "g_a": 20.0, "g_b": 0.0}


def up_twice():
    return {"f": 40.0, "i": 40.0, "g_a": 20.0, "g_b": 20.0}


def turned_round():
    return {"f": 40.0, "i": 40.0, "g_a": -20.0, "g_b": 20.0}


def unequal():
    return {"f": 40.0, "i": 40.0, "g_a": 2.0, "g_b": -1.9}


def not_a_number():
    return {"f": float("inf"), "i": 40.0, "g_a": 20.0, "g_b": -20.0}


def nothing_at_all():
    return {"f": 0.0, "i": 0.0, "g_a": 0.0, "g_b": 0.0}


def half_steps():
    return {"f": 40, "i": 0, "g_a": 20, "g_b": -20}


def soft_candidates():
    return {"f": 30.0, "i": 10.0, "g_a": 1.0, "g_b": -1.0}


# ── 5.4 evidence ──────────────────────────────────────────────────────────────────────────────────


def believes_members():
    return {"A": "shown", "B": "shown", "C": "shown", "D": "shown", "E": "shown", "F": "open"}


def believes_nothing():
    return dict.fromkeys("ABCDEF", "open")


# ── 5.2 texts that catch cheats ───────────────────────────────────────────────────────────────────

N = 30
FAR = "a" * N + "b" * N
SHORT = ["ab", "aabb", "abab", "aab", "abb", "aaab", "abbb"]


def members_only():
    return ["ab", "aabb", "aaabbb", "aaaabbbb"]


def others_only():
    return ["aab", "abb", "ba", "abab", "aaabb"]


def out_of_order_only():
    return ["ab", "aabb", "ba", "abab"]


def no_order():
    return ["ab", "aabb", FAR, "aab", "abb", FAR[:-1]]


def odd_lengths_only():
    return ["ab", "aabb", "aab", "abb", "abab", "ba", "aaabb"]


def odd_lengths_far():
    return ["ab", FAR, "aab", "abb", "abab", FAR[:-1], FAR + "b"]


def too_many_only():
    return ["ab", FAR, "abb", "abab", "ba", FAR + "b", FAR + "bb"]


def too_few_only():
    return ["ab", FAR, "aab", "abab", "ba", FAR[:-1], FAR[:-2]]


def far_off():
    return ["ab", FAR, "abab", FAR[:-2], FAR + "bb"]


def short_only():
    return SHORT


def short_misses_only():
    return [*SHORT, FAR]


def one_text():
    return "aabb"


def no_texts():
    return []


def other_letters():
    return ["ab", "abc", "aab"]


def numbers():
    return [1, 2, 3]


def too_many_texts():
    return ["a" * n + "b" * n for n in range(1, 40)]


def short_and_far():
    return ["ab", FAR, FAR[:-1], FAR + "b", FAR + "bb", "a" * (N - 1) + "ba" + "b" * (N - 1)]


def as_a_set():
    return {*short_and_far(), "aabbb"}


def never_up():
    return {"f": 40.0, "i": 40.0, "g_a": 0.0, "g_b": -20.0}


def in_numpy():
    return {"f": np.float64(50), "i": np.float64(5), "g_a": 3, "g_b": -3}


WRONG = {
    "5.3": [
        forgets, forgets_slowly, sigmoid_values, shut, never_down, never_up, up_twice,
        turned_round, unequal, not_a_number, nothing_at_all,
    ],
    "5.4": [believes_members, believes_nothing],
    "5.2": [
        members_only, others_only, out_of_order_only, no_order, odd_lengths_only, odd_lengths_far,
        too_few_only, too_many_only, far_off, short_only, short_misses_only, one_text, no_texts,
        other_letters, numbers, too_many_texts,
    ],
}  # fmt: skip
RIGHT = {"5.3": [half_steps, soft_candidates, in_numpy], "5.2": [short_and_far, as_a_set]}
