"""Matrix products with weights that are packed once."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import linear


def onednn_takes(weight: Tensor) -> bool:
    """Return whether oneDNN can multiply with this weight, and autocast does not want it cast."""
    return (
        weight.device.type == "cpu"
        and weight.dtype == torch.float32
        and torch.backends.mkldnn.enabled
        and torch.backends.mkldnn.is_available()
        and hasattr(torch.ops.mkldnn, "_linear_pointwise")
        and hasattr(torch.ops.mkldnn, "_reorder_linear_weight")
        and not torch.is_autocast_enabled("cpu")
    )


class Product:
    """x W^T + b, or x W^T + something given; oneDNN's own layout of W where it has one."""

    ROWS = 32  # the batch for which oneDNN is asked to lay the weight out

    def __init__(self, weight: Tensor, bias: Tensor | None = None):
        self.bias = bias
        self.packed = onednn_takes(weight)
        if self.packed:
            weight = torch.ops.mkldnn._reorder_linear_weight(weight.contiguous(), self.ROWS)
        self.weight = weight

    def __call__(self, x: Tensor) -> Tensor:
        if self.packed:
            return torch.ops.mkldnn._linear_pointwise(x, self.weight, self.bias, "none", [], "")
        return linear(x, self.weight, self.bias)

    def plus(self, x: Tensor, other: Tensor) -> Tensor:
        """Return x W^T + other."""
        if self.packed:
            return torch.ops.mkldnn._linear_pointwise.binary(x, other, self.weight, None, "add")
        return torch.addmm(other, x, self.weight.t())
