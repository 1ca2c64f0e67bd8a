"""What a linear probe can read out of vectors: logistic regression, fitted to convergence."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy


class LinearProbe(nn.Module):
    """softmax(W (x - mean) / spread + b): what a single linear layer can tell, and no more."""

    def __init__(self, width: int, classes: int):
        super().__init__()
        self.linear = nn.Linear(width, classes)
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("spread", torch.ones(()))

    def forward(self, x: Tensor) -> Tensor:
        """Return logits (N, classes) for vectors (N, D)."""
        logits: Tensor = self.linear((x - self.mean) / self.spread)
        return logits

    def fit(self, x: Tensor, y: Tensor, penalty: float = 1e-3, rounds: int = 60) -> LinearProbe:
        """Learn from vectors (N, D) and classes (N,), all of them at every step (L-BFGS).

        `penalty` times ||W||² is added to the mean loss. Weights start at zero: there is no seed.
        """
        self.mean = x.mean(dim=0)
        self.spread = (x - self.mean).square().mean().sqrt().clamp(min=1e-12)
        nn.init.zeros_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)
        x = (x - self.mean) / self.spread
        optimiser = torch.optim.LBFGS(
            self.linear.parameters(), max_iter=rounds, line_search_fn="strong_wolfe"
        )

        def closure() -> Tensor:
            optimiser.zero_grad()
            loss = cross_entropy(self.linear(x), y) + penalty * self.linear.weight.square().sum()
            loss.backward()
            return loss

        optimiser.step(closure)
        return self

    @torch.no_grad()
    def accuracy(self, x: Tensor, y: Tensor) -> float:
        """Return the share of vectors whose class is right."""
        right: Tensor = self(x).argmax(dim=-1) == y
        return right.float().mean().item()
