"""oneDNN's matrix product, about twice as fast as the BLAS on many CPUs, where it can be used."""

from __future__ import annotations

import torch
from torch import Tensor


def onednn_takes(tensor: Tensor) -> bool:
    """Return whether oneDNN can multiply with this tensor, and autocast does not want it cast.

    torch.compile chooses its own products, and its default backend refuses these.
    """
    return (
        tensor.device.type == "cpu"
        and tensor.dtype == torch.float32
        and bool(torch.backends.mkldnn.enabled)
        and torch.backends.mkldnn.is_available()
        and hasattr(torch.ops.mkldnn, "_linear_pointwise")
        and hasattr(torch.ops.mkldnn, "_reorder_linear_weight")
        and not torch.is_autocast_enabled("cpu")
        and not torch.compiler.is_compiling()
    )


def onednn_product(x: Tensor, W: Tensor, b: Tensor | None, activation: str = "none") -> Tensor:
    """Return activation(x W^T + b); W may lie in oneDNN's own layout."""
    out: Tensor = torch.ops.mkldnn._linear_pointwise(x, W, b, activation, [], "")
    return out
