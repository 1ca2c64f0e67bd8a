"""Time training steps of several layers in turns, so that a slow moment hits all of them alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence

import torch
from torch import Tensor, nn


def training_seconds(layers: Sequence[nn.RNNBase], x: Tensor, repeats: int = 9) -> list[float]:
    """Return the median seconds of forward and backward of each layer, runs interleaved."""
    samples: list[list[float]] = [[] for _ in layers]
    for number in range(repeats + 1):
        for layer, taken in zip(layers, samples, strict=True):
            start = time.perf_counter()
            layer.zero_grad()
            layer(x)[0].sum().backward()
            _wait_for(x.device)
            if number:  # the first round only warms up
                taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in samples]


def _wait_for(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    elif device.type == "mps":
        torch.mps.synchronize()
