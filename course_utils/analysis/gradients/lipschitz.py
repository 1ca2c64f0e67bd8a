"""Bound what one update can do to the loss of the one-unit network: L x eta x ||g||."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.gradients.activations import find_activation
from course_utils.analysis.gradients.cliff import descend

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
