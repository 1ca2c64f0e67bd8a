"""Training steps timed side by side, by a clock that only the layers move."""

from __future__ import annotations

from types import SimpleNamespace

import torch
from torch import nn

from course_utils.analysis import speed
from course_utils.analysis.speed import training_seconds


class Clock:
    """Goes on by what each pass of a layer costs, and by more when the layer is still cold."""

    def __init__(self):
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now

    def charge(self, layer: nn.LSTM, forward: float, backward: float) -> None:
        """Let the passes of a layer take so many seconds."""
        cold = [100.0]

        def ahead(*_):
            self.now += forward + (cold.pop() if cold else 0)

        def back(_):
            self.now += backward

        layer.register_forward_hook(ahead)
        layer.weight_ih_l0.register_hook(back)


def test_every_layer_is_trained_and_timed(monkeypatch):
    """Catches a backward pass left out, a cold start counted, times of another layer."""
    clock, layers = Clock(), [nn.LSTM(3, 2), nn.LSTM(3, 5, num_layers=2)]
    monkeypatch.setattr(speed, "time", SimpleNamespace(perf_counter=clock.perf_counter))
    for layer, forward, backward in zip(layers, (1, 8), (2, 16), strict=True):
        clock.charge(layer, forward, backward)
    assert training_seconds(layers, torch.randn(7, 4, 3), repeats=1) == [3, 24]
    assert all(p.grad is not None for layer in layers for p in layer.parameters())


def test_a_slow_moment_is_not_what_is_told(monkeypatch):
    """Catches a mean, which one disturbance moves."""
    clock, layer = Clock(), nn.LSTM(3, 2)
    monkeypatch.setattr(speed, "time", SimpleNamespace(perf_counter=clock.perf_counter))
    clock.charge(layer, 1, 2)
    slow = iter((0, 0, 50, 0, 0, 0))
    layer.register_forward_hook(lambda *_: setattr(clock, "now", clock.now + next(slow)))
    assert training_seconds([layer], torch.randn(7, 4, 3), repeats=5) == [3]
