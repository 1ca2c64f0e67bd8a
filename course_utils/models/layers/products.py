"""Matrix products: the number type that autocast wants, and oneDNN wherever it can be used.

oneDNN is about twice as fast as the BLAS on many CPUs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import linear


def autocast_type(tensor: Tensor) -> torch.dtype | None:
    """Return the number type that autocast currently casts products with this tensor to, if any."""
    kind = tensor.device.type
    casts = torch.amp.is_autocast_available(kind) and torch.is_autocast_enabled(kind)
    return torch.get_autocast_dtype(kind) if casts else None


def without_autocast(tensor: Tensor) -> AbstractContextManager[None]:
    """Switch off autocast on this tensor's device for a while."""
    kind = tensor.device.type
    available = torch.amp.is_autocast_available(kind)
    return torch.autocast(kind, enabled=False) if available else nullcontext()


def onednn_takes(tensor: Tensor, half: bool = False) -> bool:
    """Return whether oneDNN can multiply with this tensor without autocast wanting it cast.

    With `half` a bfloat16 tensor is accepted too, if the processor multiplies such numbers.

    torch.compile chooses its own products, and its default backend refuses these.
    """
    return (
        tensor.device.type == "cpu"
        and (
            tensor.dtype == torch.float32
            or (half and tensor.dtype == torch.bfloat16 and has_fast_half())
        )
        and bool(torch.backends.mkldnn.enabled)
        and torch.backends.mkldnn.is_available()
        and hasattr(torch.ops.mkldnn, "_linear_pointwise")
        and hasattr(torch.ops.mkldnn, "_reorder_linear_weight")
        and not torch.is_autocast_enabled("cpu")
        and not torch.compiler.is_compiling()
    )


@cache
def has_fast_half() -> bool:
    """Return whether this processor multiplies bfloat16 numbers, as far as PyTorch can tell."""
    asked = getattr(torch.cpu, "_is_avx512_bf16_supported", None)
    return bool(asked and asked())


def onednn_product(x: Tensor, W: Tensor, b: Tensor | None, activation: str = "none") -> Tensor:
    """Return activation(x W^T + b); W may lie in oneDNN's own layout."""
    out: Tensor = torch.ops.mkldnn._linear_pointwise(x, W, b, activation, [], "")
    return out


class Product:
    """x W^T + b, or x W^T + something given; W is a copy, in oneDNN's layout where it can be."""

    ROWS = 32  # the batch size that oneDNN is asked to lay out the weight for

    def __init__(self, weight: Tensor, bias: Tensor | None = None):
        self.bias = None if bias is None else bias.detach().clone()
        with without_autocast(weight):
            self.packed = onednn_takes(weight, half=True)
        if self.packed:
            weight = weight.detach().contiguous()
            self.weight = torch.ops.mkldnn._reorder_linear_weight(weight, self.ROWS)
        else:
            self.weight = weight.detach().clone()

    def __call__(self, x: Tensor) -> Tensor:
        if self.packed:
            return onednn_product(x, self.weight, self.bias)
        return linear(x, self.weight, self.bias)

    def __reduce__(self) -> tuple[type[Product], tuple[Tensor, ...]]:
        """Copy and pickle the plain numbers: oneDNN's layout only suits this processor."""
        return Product, tuple(self.weights())

    def plus(self, x: Tensor, other: Tensor) -> Tensor:
        """Return x W^T + other."""
        if self.packed:
            summed = torch.ops.mkldnn._linear_pointwise.binary
            out: Tensor = summed(x, other, self.weight, None, "add")
            return out
        return torch.addmm(other, x, self.weight.t())

    def to(self, *place: Any, **places: Any) -> Product:
        """Return it on another device, or in another number type."""
        return Product(*(weight.to(*place, **places) for weight in self.weights()))

    @property
    def width(self) -> int:
        """Return how many numbers come out for each row."""
        return len(self.weight)

    def weights(self) -> Iterator[Tensor]:
        """Yield W, and b if there is one."""
        yield self.weight.to_dense() if self.packed else self.weight
        if self.bias is not None:
            yield self.bias
