"""Read an Elman network's weights, refuse what cannot be measured, run it over a sequence."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import torch
from torch import Tensor, nn

from course_utils.analysis.gradients.activations import find_activation


class ElmanWeights(NamedTuple):
    """Stand for h_t = g(W x_t + U h_{t-1} + b) with any g; `torch.nn.RNN` knows only two."""

    W: Tensor  # (H, D)
    U: Tensor  # (H, H)
    b: Tensor  # (H,)
    activation: str = "tanh"


Network: TypeAlias = nn.RNN | ElmanWeights


class Trajectory(NamedTuple):
    """Everything the Jacobians of one run are made of."""

    U: Tensor  # (H, H)
    previous: Tensor  # (T, B, H): h_{t-1}
    states: Tensor  # (T, B, H): h_t
    slopes: Tensor  # (T, B, H): g'(a_t)


def elman_weights(network: Network) -> ElmanWeights:
    """Return the network's W, U, b (the sum of a layer's two biases) and activation, detached."""
    if isinstance(network, ElmanWeights):
        W, U, b, activation = network
        return ElmanWeights(W.detach(), U.detach(), b.detach(), activation)
    if not isinstance(network, nn.RNN):
        raise TypeError(
            f"pass an nn.RNN or ElmanWeights(W, U, b, activation), not {_kind(network)}"
        )
    if network.num_layers > 1 or network.bidirectional:
        raise ValueError(
            "a stacked or bidirectional layer has several recurrences: pass one of them, as "
            "nn.RNN(D, H) or ElmanWeights(W, U, b, activation) with that part's weights"
        )
    W, U, *biases = (weight.detach() for weight in network.all_weights[0])
    b = biases[0] + biases[1] if biases else W.new_zeros(len(W))
    return ElmanWeights(W, U, b, network.nonlinearity)


@torch.no_grad()
def trace(network: Network, x: Tensor) -> Trajectory:
    """Run the network over x, laid out as the network wants it, and keep what gradients need."""
    weights = elman_weights(network)
    _refuse_unusable(weights, x)
    if isinstance(network, nn.RNN):
        states = network(x)[0]
        states = states.transpose(0, 1) if network.batch_first else states  # (T, B, H)
    else:
        states = _run(weights, x)
    if len(states) < 2:
        raise ValueError(
            f"a sequence of length {len(states)} has no earlier step to look back to: "
            "pass x with at least two steps"
        )
    previous = torch.cat([torch.zeros_like(states[:1]), states[:-1]])
    slopes = find_activation(weights.activation).slope_from_output(states)
    return Trajectory(weights.U, previous, states, slopes)


def _run(weights: ElmanWeights, x: Tensor) -> Tensor:
    g = find_activation(weights.activation).function
    from_inputs = x @ weights.W.T + weights.b  # (T, B, H), all steps at once
    h_t = from_inputs.new_zeros(from_inputs.shape[1:])
    states = []
    for a_t in from_inputs:
        h_t = g(a_t + h_t @ weights.U.T)
        states.append(h_t)
    return torch.stack(states) if states else from_inputs


def _refuse_unusable(weights: ElmanWeights, x: Tensor) -> None:
    W = weights.W
    if not isinstance(x, Tensor):
        raise TypeError(f"pass x as one padded tensor, not {_kind(x)}")
    if not x.is_floating_point():
        raise TypeError(f"x holds {x.dtype}: embed the integers, or pass x.to({W.dtype})")
    if x.dtype != W.dtype:
        raise TypeError(f"x is {x.dtype}, the network {W.dtype}: pass x.to({W.dtype})")
    if x.dim() != 3 or x.shape[-1] != W.shape[1]:
        raise ValueError(
            f"x has the shape {tuple(x.shape)}: pass (T, B, {W.shape[1]}), or batch first when "
            "the layer is; x.unsqueeze(1) adds a batch of one to a single sequence"
        )
    if 0 in x.shape:
        raise ValueError(f"x is empty, {tuple(x.shape)}: pass at least two steps of one sequence")
    if x.is_meta or W.is_meta:
        raise ValueError(
            f"x is on {x.device}, the network on {W.device}; 'meta' holds no numbers: "
            "make both on the CPU, network.to_empty(device='cpu') and then its initial weights"
        )
    if x.device != W.device:
        raise ValueError(f"x is on {x.device}, the network on {W.device}: pass x.to('{W.device}')")
    if not x.isfinite().all():
        raise ValueError("x holds NaN or infinity: replace it, x.nan_to_num(), or find its source")
    if not all(w.isfinite().all() for w in weights[:3]):
        raise ValueError(
            "the network's weights hold NaN or infinity, as after an update that exploded: "
            "load an earlier checkpoint, or initialise it again"
        )


def _kind(value: object) -> str:
    return type(value).__name__
