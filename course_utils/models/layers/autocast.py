"""Ask what autocast does to a tensor just now."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor


def autocast_type(tensor: Tensor) -> torch.dtype | None:
    """Return the number type that products with this tensor are cast to just now, if any."""
    kind = tensor.device.type
    casts = torch.amp.is_autocast_available(kind) and torch.is_autocast_enabled(kind)
    return torch.get_autocast_dtype(kind) if casts else None


def without_autocast(tensor: Tensor) -> AbstractContextManager[None]:
    """Leave the number types on this tensor's device alone for a while."""
    kind = tensor.device.type
    available = torch.amp.is_autocast_available(kind)
    return torch.autocast(kind, enabled=False) if available else nullcontext()
