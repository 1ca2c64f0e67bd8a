"""Say at which lag a shrinking signal falls below what a number type can still add."""

from __future__ import annotations

import math

import torch
from torch import Tensor


def predicted_lag(rate: float, dtype: torch.dtype = torch.float32) -> int:
    """Return the first lag at which rate^lag is below the resolution of `dtype` around 1."""
    if not 0 < rate < 1:
        raise ValueError(f"the rate is {rate}: a signal shrinks only for 0 < rate < 1")
    return math.floor(math.log(torch.finfo(dtype).eps) / math.log(rate)) + 1


def measured_lag(norms: Tensor, dtype: torch.dtype = torch.float32) -> int | None:
    """Return the first lag whose norm, over that of lag 0, is below it; None if there is none."""
    below = (norms < torch.finfo(dtype).eps * norms[0]).nonzero()
    return int(below[0]) if len(below) else None
