"""Solutions of lecture 05."""

from __future__ import annotations

import numpy as np


def is_member(text):
    n = len(text) // 3
    return n > 0 and text == "a" * n + "b" * n + "c" * n


def may_follow(text):
    depth = 0
    for bracket in text:
        depth += 1 if bracket == "(" else -1
        if depth < 0:  # a ) that closes nothing: no text goes on like this
            return set()
    return {"(", ")"} if depth else {"(", "⊣"}


def counter_gates():
    # f = sigmoid(40) is 1 to the last bit; one candidate with two signs
    return {"f": 40.0, "i": 40.0, "g_a": 20.0, "g_b": -20.0}


def last_n(stored):
    p = stored + 1  # the leading 1 is not stored
    return 2**p  # 2^p is exact, 2^p + 1 rounds back to it


def what_is_shown():
    return {
        "A": "refuted",  # it accepts 431 texts that do not belong
        "B": "open",  # near misses were not asked for
        "C": "shown",
        "D": "open",  # nothing above 100 was asked for
        "E": "shown",
        "F": "refuted",  # such a cell would stand at 50
    }


def texts_that_test():
    n = 30
    swapped = "a" * (n - 1) + "ba" + "b" * (n - 1)
    in_order = ["a" * n + "b" * m for m in (n, n - 1, n + 1, n + 2)]  # the last one: even length
    return ["ab", *in_order, swapped]


def compile_counter(moves):
    V, H = moves.shape
    W, b = np.zeros((4 * H, V)), np.zeros(4 * H)
    b[: 2 * H] = 40  # i and f are 1 at every letter
    W[2 * H : 3 * H] = 20 * moves.T  # the candidate is the move; where it is 0, nothing is written
    return W, b
