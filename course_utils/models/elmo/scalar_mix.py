"""One vector per token from all layers: the weighted sum that a task learns."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

EPSILON = 1e-12


class ScalarMix(nn.Module):
    """γ Σ_k softmax(s)_k layer_k, with s = 0 and γ = 1 at first: the mean of all layers."""

    def __init__(self, layers: int, initial: Sequence[float] | None = None):
        super().__init__()
        if initial is not None and len(initial) != layers:
            raise ValueError(f"{layers} layers need {layers} initial weights, not {len(initial)}")
        self.scalars = nn.Parameter(
            torch.tensor(initial or [0.0] * layers, dtype=torch.get_default_dtype())
        )
        self.gamma = nn.Parameter(torch.ones(()))

    def weights(self) -> Tensor:
        """Return each layer's share, (L + 1,)."""
        return torch.softmax(self.scalars, dim=0)

    def penalty(self) -> Tensor:
        """Return ||s||²; times λ, added to a task's loss, it pulls the mix towards the mean."""
        return self.scalars.square().sum()

    def forward(self, layers: Tensor) -> Tensor:
        """Mix layers (L + 1, B, T, 2P) into (B, T, 2P)."""
        if len(layers) != len(self.scalars):
            raise ValueError(f"this mix is for {len(self.scalars)} layers, not {len(layers)}")
        mean: Tensor = torch.tensordot(self.weights().to(layers.dtype), layers, dims=1)
        return self.gamma * mean


def normalise(layers: Tensor, mask: Tensor) -> Tensor:
    """Give each layer mean 0 and variance 1 over all real positions and features of the batch.

    Half precision could not hold the sums.
    """
    given, layers = layers.dtype, layers.to(torch.promote_types(layers.dtype, torch.float32))
    here = mask.to(layers.dtype)[..., None]  # (B, T, 1)
    count = (here.sum() * layers.shape[-1]).clamp(min=1)
    mean = (layers * here).sum(dim=(1, 2, 3), keepdim=True) / count
    variance = ((layers - mean) * here).square().sum(dim=(1, 2, 3), keepdim=True) / count
    return ((layers - mean) / torch.sqrt(variance + EPSILON) * here).to(given)
