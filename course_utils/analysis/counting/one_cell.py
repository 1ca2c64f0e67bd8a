"""One LSTM cell with fixed gates: how far does it count?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Setting(NamedTuple):
    """What goes into the gates at every letter, and into the candidate at each."""

    forget: float
    write: float
    at_a: float
    at_b: float


def cell_along(setting: Setting, n: int) -> np.ndarray:
    """Return the cell along a^n b^n, (2 n + 1,), from 0."""
    f, (up, down) = _sigmoid(setting.forget), _adds(setting)
    k = np.arange(n + 1)
    held = f**k
    total = k if f == 1 else (1 - held) / (1 - f)  # 1 + f + f^2 + ...
    climb = up * total
    return np.concatenate([climb, held[1:] * climb[-1] + down * total[1:]])


def longest_with(setting: Setting, limit: int) -> int:
    """Return the n up to which the cell, reset for every text, tells a^n b^n from all others.

    One threshold reads it on its way down: above after a^n b^(n-1), below after a^n b^n. The
    threshold is the midpoint of the two at n = 1.
    """
    f, (up, down) = _sigmoid(setting.forget), _adds(setting)
    if up <= 0:
        return 0
    counts = range(1, limit + 1)
    ends = np.array([[_after(f, up, down, n, n - 1), _after(f, up, down, n, n)] for n in counts])
    threshold = ends[0].mean()
    # inside a text the cell must stay above: it falls all the way when b takes something off
    right = (ends[:, 0] > threshold) & (ends[:, 1] < threshold) & (down < 0)
    wrong = np.flatnonzero(~right)
    return int(wrong[0]) if len(wrong) else limit


def _after(f: float, up: float, down: float, a: int, b: int) -> float:
    """Return the cell after a^a b^b."""
    climb, fall = ((1 - f**m) / (1 - f) if f < 1 else float(m) for m in (a, b))
    return up * climb * f**b + down * fall


def _adds(setting: Setting) -> tuple[float, float]:
    """Return what one a and one b add: i times g."""
    i = _sigmoid(setting.write)
    return i * float(np.tanh(setting.at_a)), i * float(np.tanh(setting.at_b))


def _sigmoid(a: float) -> float:
    return float(1 / (1 + np.exp(-a)))
