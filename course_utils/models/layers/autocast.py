"""Ask what autocast does to a tensor just now."""

from __future__ import annotations

import torch
from torch import Tensor


def autocast_type(tensor: Tensor) -> torch.dtype | None:
    """Return the number type that products with this tensor are cast to just now, if any."""
    kind = tensor.device.type
    casts = torch.amp.is_autocast_available(kind) and torch.is_autocast_enabled(kind)
    return torch.get_autocast_dtype(kind) if casts else None
