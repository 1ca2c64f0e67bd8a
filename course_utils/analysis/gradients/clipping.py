"""Clip a gradient by its norm: its length is bounded, its direction kept."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn


def clip_by_norm(tensors: Iterable[Tensor], threshold: float) -> list[Tensor]:
    """Return the tensors scaled by one factor <= 1 so that their joint norm is at most `threshold`.

    A parameter stands for its .grad. Nothing is changed in place.
    """
    if not threshold > 0:
        raise ValueError(f"the threshold is {threshold}: pass a number above 0")
    vectors = _vectors(tensors)
    largest, length = _scale(vectors)
    if largest * length <= threshold:
        return [v.clone() for v in vectors]
    return [v / largest * (threshold / length) for v in vectors]


def _scale(vectors: list[Tensor]) -> tuple[float, float]:
    """Return the largest entry, and the norm divided by it: a square of 1e200 would overflow."""
    largest = max(v.abs().max().item() for v in vectors)
    if largest == 0:
        return 0.0, 0.0
    parts = torch.stack([(v / largest).norm().cpu() for v in vectors])
    return largest, parts.norm().item()


def _vectors(tensors: Iterable[Tensor]) -> list[Tensor]:
    if isinstance(tensors, Tensor):
        raise TypeError("pass a list of tensors: [gradient] for a single one")
    vectors = []
    for t in tensors:
        v = t.grad if isinstance(t, nn.Parameter) else t
        if v is None:
            raise ValueError("a parameter has no gradient yet: call loss.backward() first")
        if not isinstance(v, Tensor) or not v.is_floating_point():
            kind = v.dtype if isinstance(v, Tensor) else type(v).__name__
            raise TypeError(f"pass floating-point tensors, not {kind}")
        if v.is_meta:
            raise ValueError("a 'meta' tensor holds no numbers: make the gradient on the CPU")
        if not v.isfinite().all():
            raise ValueError("the gradient holds NaN or infinity, so no direction: skip this step")
        vectors.append(v.detach())
    if not vectors:
        raise ValueError("there is nothing to clip: pass at least one tensor")
    return vectors
