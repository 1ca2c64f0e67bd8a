"""Say at which lag a shrinking signal changes nothing any more when it is added to 1."""

from __future__ import annotations

import math

import torch
from torch import Tensor


def predicted_lag(rate: float, dtype: torch.dtype = torch.float32) -> int:
    """Return the first lag at which 1 + rate^lag is 1 in `dtype`: at most half the gap above 1."""
    if not 0 < rate < 1:
        raise ValueError(f"the rate is {rate}: a signal shrinks only for 0 < rate < 1")
    return math.ceil(math.log(torch.finfo(dtype).eps / 2) / math.log(rate))


def measured_lag(norms: Tensor, dtype: torch.dtype = torch.float32) -> int | None:
    """Return the first lag whose norm is rounded away beside that of lag 0, None without one."""
    lost = (norms <= torch.finfo(dtype).eps / 2 * norms[0]).nonzero()
    return int(lost[0]) if len(lost) else None
