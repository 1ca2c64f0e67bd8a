"""A highway layer: each feature is either transformed or let through, or part of both."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

CARRY_BIAS = -2.0  # a new layer lets nearly everything through


class Highway(nn.Module):
    """g = σ(W_g x + b_g),  t = relu(W_t x + b_t),  y = g ⊙ t + (1 - g) ⊙ x."""

    def __init__(self, features: int, **factory: Any):
        super().__init__()
        # The published files call the gate "carry", though it multiplies the transformed value.
        self.gate = nn.Linear(features, features, **factory)
        self.transform = nn.Linear(features, features, **factory)
        if not self.gate.bias.is_meta:
            nn.init.constant_(self.gate.bias, CARRY_BIAS)

    def forward(self, x: Tensor) -> Tensor:
        g = torch.sigmoid(self.gate(x))
        t = torch.relu(self.transform(x))  # relu, whatever the CNN's activation is
        return g * t + (1 - g) * x
