"""Matrix products with weights that are packed once."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import linear

from course_utils.models.layers.onednn import onednn_takes


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
