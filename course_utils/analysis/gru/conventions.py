"""The GRU as papers print it and as PyTorch computes it: what can be converted and what cannot.

Two choices are free. The update gate may KEEP the old state (Cho et al. 2014, PyTorch's z) or RENEW
it (u = 1 - z: Chung et al. 2014 and most lectures). The reset gate may act on the state BEFORE the
product, U (r * h), or AFTER it, r * (U h + b_U), as in PyTorch and cuDNN.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import linear

from course_utils.models import GRUStep, Weights

UPDATES = ("keep", "renew")
RESETS = ("before", "after")


def gru_step_in(
    x_t: Tensor, h_prev: Tensor, weights: Weights, update: str = "keep", reset: str = "after"
) -> GRUStep:
    """Take one step in a convention; `z` of the result is that convention's update gate."""
    _refuse_unknown(update, reset)
    x_r, x_z, x_n = linear(x_t, weights.W, weights.b).chunk(3, dim=-1)
    U_r, U_z, U_n = weights.U.chunk(3)
    b_r, b_z, b_n = weights.b_U.chunk(3) if weights.b_U is not None else (None, None, None)
    r = torch.sigmoid(x_r + linear(h_prev, U_r, b_r))
    z = torch.sigmoid(x_z + linear(h_prev, U_z, b_z))
    past = linear(r * h_prev, U_n, b_n) if reset == "before" else r * linear(h_prev, U_n, b_n)
    n = torch.tanh(x_n + past)
    old, new = (z, 1 - z) if update == "keep" else (1 - z, z)
    return GRUStep(new * n + old * h_prev, r, z, n)


def run_gru_in(x: Tensor, weights: Weights, update: str = "keep", reset: str = "after") -> GRUStep:
    """Run a convention over x (T, B, D) from a zero state; every field is (T, B, H)."""
    h = x.new_zeros(x.shape[1], weights.U.shape[1])
    steps = []
    for x_t in x:
        steps.append(gru_step_in(x_t, h, weights, update, reset))
        h = steps[-1].h
    return GRUStep(*(torch.stack(field) for field in zip(*steps, strict=True)))


def swap_update_gate(weights: Weights) -> Weights:
    """Turn weights for one meaning of the update gate into weights for the other, both ways.

    sigmoid(-a) = 1 - sigmoid(a): the gate's rows change their sign.
    """
    H = weights.U.shape[1]
    sign = weights.U.new_ones(3 * H)
    sign[H : 2 * H] = -1
    W, U, b, b_U = weights
    rows, biases = sign.unsqueeze(1), (None if part is None else sign * part for part in (b, b_U))
    return Weights(rows * W, rows * U, *biases)


class FixedPoints(NamedTuple):
    """The values tried for h_t, and where both sides of its equation meet."""

    h: Tensor
    solutions: Tensor


def circular_candidate(
    h_prev: float = 0.0, u: float = 0.9, r: float = 1.0, weight: float = 3.0, points: int = 4001
) -> FixedPoints:
    """Solve h_t = (1 - u) h_{t-1} + u tanh(weight r h_t), the misprint taken at its word.

    With h_t on both sides it is an equation and not a rule: it may have several solutions.
    """
    h = torch.linspace(-1.5, 1.5, points, dtype=torch.float64)
    right = (1 - u) * h_prev + u * torch.tanh(weight * r * h)
    gap = right - h
    at_zero = gap == 0
    crossing = (gap[:-1] * gap[1:] < 0).nonzero().flatten()
    between = h[crossing] + (h[1] - h[0]) * gap[crossing] / (gap[crossing] - gap[crossing + 1])
    return FixedPoints(h, torch.cat([h[at_zero], between]).sort().values)


def _refuse_unknown(update: str, reset: str) -> None:
    for value, known in ((update, UPDATES), (reset, RESETS)):
        if value not in known:
            raise ValueError(f"no convention is called {value!r}: use {' or '.join(known)}")
