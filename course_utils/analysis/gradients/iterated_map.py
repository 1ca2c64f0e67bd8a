"""Iterate the map of one step, h -> g(w h + b): what depth alone does to a signal."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.gradients.activations import find_activation


class IteratedMap(NamedTuple):
    """The map after 0, 1, ..., depth steps; each (depth + 1, points)."""

    values: Tensor
    slopes: Tensor  # d(value) / d(point): the product of all steps' slopes


@torch.no_grad()
def iterate_map(
    points: Tensor, weight: float, bias: float, depth: int, activation: str = "tanh"
) -> IteratedMap:
    """Apply h -> g(weight h + bias) up to `depth` times to every point."""
    if depth < 1:
        raise ValueError(f"depth is {depth}: apply the map at least once")
    if not points.is_floating_point():
        raise TypeError(f"the points are {points.dtype}: pass points.double()")
    g = find_activation(activation)
    h, slope = points, torch.ones_like(points)
    values, slopes = [h], [slope]
    for _ in range(depth):
        a = weight * h + bias
        h, slope = g.function(a), slope * g.slope(a) * weight
        values.append(h)
        slopes.append(slope)
    return IteratedMap(torch.stack(values), torch.stack(slopes))
