"""Draw Elman networks whose recurrent matrix has a given spectral radius."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.analysis.gradients.activations import find_activation
from course_utils.analysis.gradients.elman import ElmanWeights
from course_utils.settings import SEED

DRAWN = ("gaussian", "orthogonal")


def recurrent_matrix(size: int, radius: float, kind: str = "gaussian", seed: int = SEED) -> Tensor:
    """Return a random (size, size) float64 matrix with this spectral radius.

    Every eigenvalue of the orthogonal kind has absolute value `radius`, and so its norm is
    `radius` too; a Gaussian matrix has a norm larger than its radius.
    """
    if size < 1 or not radius >= 0:
        raise ValueError(f"size {size}, radius {radius}: pass a size >= 1 and a radius >= 0")
    if kind not in DRAWN:
        raise ValueError(f"no kind is called {kind!r}: use {' or '.join(DRAWN)}")
    generator = torch.Generator().manual_seed(seed)
    U = torch.randn(size, size, generator=generator, dtype=torch.float64)
    if kind == "orthogonal":
        Q: Tensor = torch.linalg.qr(U).Q
        return radius * Q
    return U * (radius / spectral_radius(U))


def spectral_radius(U: Tensor) -> float:
    """Return the largest absolute value of an eigenvalue."""
    return float(torch.linalg.eigvals(U.detach()).abs().max())


def random_network(
    inputs: int,
    size: int,
    radius: float,
    activation: str = "tanh",
    gain: float = 1.0,
    kind: str = "gaussian",
    seed: int = SEED,
) -> ElmanWeights:
    """Return float64 weights: U of this radius, inputs of unit variance scaled by `gain`, no bias.

    The gain decides how far the inputs push the units away from the steep middle of g.
    """
    generator = torch.Generator().manual_seed(seed + 1)  # + 1: W is not drawn from U's numbers
    W = torch.randn(size, inputs, generator=generator, dtype=torch.float64) / inputs**0.5
    b = torch.zeros(size, dtype=torch.float64)
    find_activation(activation)
    return ElmanWeights(gain * W, recurrent_matrix(size, radius, kind, seed), b, activation)
