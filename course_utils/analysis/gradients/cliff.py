"""Draw the cliff in the loss of a one-unit recurrent network (after Pascanu et al. 2013, fig. 6).

The unit reads no input: h_t = g(w h_{t-1} + b), and the loss is (h_T - target)^2 after T steps.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.gradients.activations import find_activation


class CliffPoint(NamedTuple):
    """The loss and its gradient at one or many (w, b)."""

    loss: Tensor
    d_w: Tensor
    d_b: Tensor

    @property
    def gradient_norm(self) -> Tensor:
        """Return the length of the gradient."""
        return torch.hypot(self.d_w, self.d_b)


class Path(NamedTuple):
    """A run of gradient descent, each (updates + 1, ...); [0] is the start."""

    w: Tensor
    b: Tensor
    loss: Tensor
    gradient_norm: Tensor  # before clipping


@torch.no_grad()
def loss_cliff(
    w: Tensor | float,
    b: Tensor | float,
    steps: int = 50,
    start: float = 0.62,
    target: float = 0.7,
    activation: str = "sigmoid",
) -> CliffPoint:
    """Return the loss and its gradient for every w and b, which broadcast against each other."""
    if steps < 1:
        raise ValueError(f"steps is {steps}: the unit needs at least one")
    g = find_activation(activation)
    points = [torch.as_tensor(value, dtype=torch.float64) for value in (w, b)]
    if not all(point.isfinite().all() for point in points):
        raise ValueError("w or b holds NaN or infinity: pass finite numbers")
    weight, bias = torch.broadcast_tensors(*points)
    h, a = [torch.full_like(weight, start)], []
    for _ in range(steps):
        a.append(torch.addcmul(bias, weight, h[-1]))
        h.append(g.function(a[-1]))
    h_t = h.pop()
    before, slope = torch.stack(h), g.slope(torch.stack(a))  # (T, ...)
    # one step back multiplies by w g'(a); to the end, by the product of all steps that follow
    factors = (weight * slope).flip(0).cumprod(0).flip(0)
    to_end = slope * torch.cat([factors[1:], torch.ones_like(slope[:1])])
    dh_dw, dh_db = (before * to_end).sum(0), to_end.sum(0)
    error = h_t - target
    return CliffPoint(error**2, 2 * error * dh_dw, 2 * error * dh_db)


@torch.no_grad()
def descend(
    w: Tensor | float,
    b: Tensor | float,
    learning_rate: float,
    updates: int,
    threshold: Tensor | float | None = None,
    **unit: Any,
) -> Path:
    """Follow gradient descent on the cliff, clipped by norm at `threshold` when one is given.

    Starts and thresholds broadcast against each other, all walked at once (inf: not clipped);
    `unit` goes to `loss_cliff`. A path that overflows ends there; the rest of it is NaN.
    """
    given = (w, b, math.inf if threshold is None else threshold)
    *begin, limit = torch.broadcast_tensors(
        *(torch.as_tensor(value, dtype=torch.float64) for value in given)
    )
    if not (limit > 0).all():
        raise ValueError(f"the threshold is {limit.tolist()}: pass a number above 0")
    position, alive = torch.stack(begin), torch.ones_like(limit, dtype=torch.bool)  # (2, ...)
    rows = []
    for _ in range(updates + 1):
        here = loss_cliff(*position, **unit)
        norm = here.gradient_norm
        rows.append(torch.stack([*position, here.loss, norm]).where(alive, math.nan))
        factor = (limit / norm).clamp(max=1)
        moved = position - learning_rate * factor * torch.stack([here.d_w, here.d_b])
        alive = alive & moved.isfinite().all(dim=0)
        position = moved.where(alive, position)  # a path that has ended waits where it is
    return Path(*torch.stack(rows).unbind(dim=1))


LOWEST_STATE = {"sigmoid": 0.0, "tanh": -1.0}  # the highest is 1; the others have no bounds


class StepChange(NamedTuple):
    """What one update does, and the most that it could do; one entry a sampled point."""

    change: Tensor  # |J(p) - J(p - eta g)|
    bound: Tensor  # L eta ||g||
    lipschitz: Tensor  # L, for all weights up to the larger of the two ends of the step
    length: Tensor  # ||g||, after clipping


def cliff_lipschitz(
    w: Tensor | float, steps: int = 50, target: float = 0.7, activation: str = "sigmoid"
) -> Tensor:
    """Return an L with |J(p) - J(q)| <= L ||p - q|| for all points whose weights are within ±w.

    From ||dh_t|| <= s (||(h, 1)|| + |w| ||dh_{t-1}||), s the largest slope: a geometric series.
    """
    if activation not in LOWEST_STATE:
        raise ValueError(f"{activation} has no bounded state, so no L: use sigmoid or tanh")
    slope = find_activation(activation).max_slope
    w = torch.as_tensor(w, dtype=torch.float64).abs()
    dh = torch.zeros_like(w)
    for _ in range(steps):
        dh = slope * (math.sqrt(2) + w * dh)
    return 2 * max(1 - target, target - LOWEST_STATE[activation]) * dh


def step_changes(
    w: Tensor, b: Tensor, learning_rate: float, threshold: float | None = None, **unit: Any
) -> StepChange:
    """Take one update of gradient descent from every point, each clipped at `threshold` if given.

    `unit` goes to `loss_cliff`; the start must be a state that the unit can reach.
    """
    threshold = math.inf if threshold is None else threshold
    path = descend(w, b, learning_rate, 1, threshold, **unit)
    length = path.gradient_norm[0].clamp(max=threshold)
    widest = path.w.abs().amax(dim=0)
    lipschitz = cliff_lipschitz(widest, **{k: v for k, v in unit.items() if k != "start"})
    change = (path.loss[1] - path.loss[0]).abs()
    return StepChange(change, lipschitz * learning_rate * length, lipschitz, length)
