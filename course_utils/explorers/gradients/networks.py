"""The random networks, and their inputs, that the explorers of gradients measure."""

from __future__ import annotations

from functools import lru_cache

import torch

from course_utils.analysis.gradients.elman import ElmanWeights
from course_utils.analysis.gradients.random_networks import random_network

UNITS, INPUTS, SEQUENCES = 64, 16, 4
NOTHING = 1e-150  # the squares of smaller numbers leave the range of float64


def counted(norms: torch.Tensor) -> torch.Tensor:
    """Return lengths of vectors; those that their squares cannot tell are 0."""
    return torch.where(norms < NOTHING, 0.0, norms)


@lru_cache(maxsize=64)
def network_with(
    radius: float, activation: str, gain: float, kind: str = "gaussian"
) -> ElmanWeights:
    """Return one network: the same seed whatever the controls say."""
    return random_network(INPUTS, UNITS, round(radius, 4), activation, round(gain, 4), kind)


@lru_cache(maxsize=32)
def inputs_of(length: int) -> torch.Tensor:
    """Return random inputs, (T, B, D)."""
    generator = torch.Generator().manual_seed(2)
    return torch.randn(length, SEQUENCES, INPUTS, generator=generator, dtype=torch.float64)
