"""Half the digits, twice the speed, on processors that can multiply in bfloat16."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import cache

import torch


@cache
def _has_bf16() -> bool:
    return torch.cpu._is_avx512_bf16_supported()


def half_precision(device: torch.device) -> AbstractContextManager[None]:
    """Compute in bfloat16 on CPUs that have it: about twice as fast; GPUs are `fit`'s business."""
    if device.type == "cpu" and _has_bf16():
        return torch.autocast("cpu", torch.bfloat16)
    return nullcontext()
