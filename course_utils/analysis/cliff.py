"""Draw the cliff in the loss of a one-unit recurrent network (after Pascanu et al. 2013, fig. 6).

The unit reads no input: h_t = g(w h_{t-1} + b), and the loss is (h_T - target)^2 after T steps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.activations import find_activation
from course_utils.analysis.clipping import clip_by_norm


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
    """A run of gradient descent, each (updates + 1,); [0] is the start."""

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
    w, b = (torch.as_tensor(value, dtype=torch.float64) for value in (w, b))
    if not (w.isfinite().all() and b.isfinite().all()):
        raise ValueError("w or b holds NaN or infinity: pass finite numbers")
    w, b = torch.broadcast_tensors(w, b)
    h_t = torch.full_like(w, start)
    dh_dw, dh_db, one = torch.zeros_like(w), torch.zeros_like(w), torch.ones_like(w)
    for _ in range(steps):
        a_t = torch.addcmul(b, w, h_t)
        slope_t = g.slope(a_t)
        dh_dw = torch.addcmul(h_t, w, dh_dw) * slope_t  # h_t is still the old state here
        dh_db = torch.addcmul(one, w, dh_db) * slope_t
        h_t = g.function(a_t)
    error = h_t - target
    return CliffPoint(error**2, 2 * error * dh_dw, 2 * error * dh_db)


def descend(
    w: float,
    b: float,
    learning_rate: float,
    updates: int,
    threshold: float | None = None,
    **unit: object,
) -> Path:
    """Follow gradient descent on the cliff, clipped at `threshold` when one is given.

    `unit` goes to `loss_cliff`. A path that leaves the numbers ends there, filled with NaN.
    """
    [path] = descend_side_by_side(w, b, learning_rate, updates, [threshold], **unit)
    return path


def descend_side_by_side(
    w: float,
    b: float,
    learning_rate: float,
    updates: int,
    thresholds: Sequence[float | None],
    **unit: object,
) -> list[Path]:
    """Follow one path for each threshold, all from the same start, for little more than one."""
    positions = torch.tensor([[w, b]] * len(thresholds), dtype=torch.float64)  # (paths, 2)
    rows = torch.full((updates + 1, 4, len(thresholds)), math.nan, dtype=torch.float64)
    alive = torch.ones(len(thresholds), dtype=torch.bool)
    for row in rows:
        here = loss_cliff(positions[:, 0], positions[:, 1], **unit)
        gradients = torch.stack([here.d_w, here.d_b], dim=1)
        measured = torch.stack([*positions.T, here.loss, here.gradient_norm])
        row[:] = measured.where(alive, math.nan)
        alive = alive & gradients.isfinite().all(dim=1)
        for place, threshold in enumerate(thresholds):
            if threshold is not None and alive[place]:
                [gradients[place]] = clip_by_norm([gradients[place]], threshold)
        # a path that has ended waits where it is
        positions = positions - learning_rate * gradients.where(alive[:, None], 0.0)
    return [Path(*rows[..., place].T) for place in range(len(thresholds))]
