"""Hold the four activations of lecture 02, each with its derivative and its largest slope."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor


class Activation(NamedTuple):
    """One elementwise function g, and g' as a function of a (before) or of h = g(a) (after)."""

    name: str
    function: Callable[[Tensor], Tensor]
    slope: Callable[[Tensor], Tensor]
    slope_from_output: Callable[[Tensor], Tensor]
    max_slope: float


def _sigmoid_slope(a: Tensor) -> Tensor:
    return torch.sigmoid(a) * torch.sigmoid(-a)  # not s(1 - s): that is 0 already at a = 40


def _tanh_slope(a: Tensor) -> Tensor:
    return torch.cosh(a).pow(-2)  # not 1 - tanh(a)^2: that is 0 already at a = 20


def _step(a: Tensor) -> Tensor:
    return (a > 0).to(a.dtype)  # at 0 PyTorch, too, takes the slope 0


ACTIVATIONS = {
    activation.name: activation
    for activation in (
        Activation("sigmoid", torch.sigmoid, _sigmoid_slope, lambda h: h * (1 - h), 0.25),
        Activation("tanh", torch.tanh, _tanh_slope, lambda h: 1 - h * h, 1.0),
        Activation("relu", torch.relu, _step, _step, 1.0),
        Activation("linear", torch.clone, torch.ones_like, torch.ones_like, 1.0),
    )
}


def find_activation(name: str) -> Activation:
    """Return the activation of this name."""
    if name not in ACTIVATIONS:
        raise ValueError(f"no activation is called {name!r}: use one of {', '.join(ACTIVATIONS)}")
    return ACTIVATIONS[name]
