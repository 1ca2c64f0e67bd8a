"""One recurrent unit, unrolled: every value on the way forward, every gradient on the way back."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

INPUTS = (1.0, -0.5, 0.8, 0.3)
TARGETS = (0.5, 0.0, 0.2, 0.9)


class Unrolled(NamedTuple):
    """h_t = tanh(w x_t + u h_{t-1}) and J_t = (h_t - y_t)^2 / 2, each (T,)."""

    x: np.ndarray
    y: np.ndarray
    h: np.ndarray
    loss: np.ndarray
    d_h: np.ndarray  # dJ/dh_t: from this step's loss and from all later ones
    d_u: np.ndarray  # this step's term of dJ/du
    u: float


def unroll(
    u: float,
    w: float,
    inputs: tuple[float, ...] = INPUTS,
    targets: tuple[float, ...] = TARGETS,
    h_0: float = 0.0,
) -> Unrolled:
    """Run the unit forward, then walk the chain rule back, one step at a time."""
    x, y = np.asarray(inputs, dtype=float), np.asarray(targets, dtype=float)
    h = np.empty(len(x) + 1)
    h[0] = h_0
    for t in range(1, len(h)):
        h[t] = np.tanh(w * x[t - 1] + u * h[t - 1])
    d_h, d_u = np.zeros(len(x)), np.zeros(len(x))
    from_later = 0.0
    for t in range(len(x), 0, -1):
        d_h[t - 1] = (h[t] - y[t - 1]) + from_later
        d_a = d_h[t - 1] * (1 - h[t] ** 2)
        d_u[t - 1] = d_a * h[t - 1]
        from_later = d_a * u
    return Unrolled(x, y, h[1:], (h[1:] - y) ** 2 / 2, d_h, d_u, u)
