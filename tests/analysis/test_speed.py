"""Training steps timed side by side."""

from __future__ import annotations

import torch
from torch import nn

from course_utils.analysis.speed import training_seconds


def test_every_layer_is_trained_and_timed():
    """Catches a backward pass left out, and times that belong to another layer."""
    small, large = nn.LSTM(3, 2), nn.LSTM(3, 256, num_layers=2)
    times = training_seconds([small, large], torch.randn(20, 4, 3), repeats=3)
    assert 0 < times[0] < times[1]
    assert all(p.grad is not None for layer in (small, large) for p in layer.parameters())
