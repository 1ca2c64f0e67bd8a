"""Initialise a network: what decides how long it remembers before it has learned anything."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

KEEPING = {
    "LSTM": 1,
    "GRU": 1,
}  # the block of rows of the gate that keeps: f of i f g o, z of r z n
WRITING = {"LSTM": 0}  # the input gate's


@torch.no_grad()
def set_keep_bias(layer: nn.RNNBase, value: float | Tensor) -> nn.RNNBase:
    """Set the bias of the gate that keeps the old state: an LSTM's f, a GRU's z in PyTorch.

    PyTorch adds two biases; the second is set to zero, so that their sum is the value.
    """
    _set(layer, KEEPING[_kind(layer)], value)
    return layer


@torch.no_grad()
def set_chrono_biases(layer: nn.RNNBase, longest: int) -> nn.RNNBase:
    """Spread the units' memories from 1 to about `longest` steps (Tallec and Ollivier 2018).

    The keeping gate starts at log(u), u uniform in [1, longest - 1]; an LSTM's input gate at the
    negative of that.
    """
    kind = _kind(layer)
    if longest < 3:
        raise ValueError(f"longest is {longest}: pass the longest lag to bridge, at least 3 steps")
    spread = torch.empty_like(layer.get_parameter("bias_ih_l0")[: layer.hidden_size])
    for name in _suffixes(layer):
        keep = spread.uniform_(1, longest - 1).log()
        _set(layer, KEEPING[kind], keep, [name])
        if kind in WRITING:
            _set(layer, WRITING[kind], -keep, [name])
    return layer


@torch.no_grad()
def set_long_biases(layer: nn.RNNBase, longest: int) -> nn.RNNBase:
    """Give all units one memory of about `longest` steps: chrono's longest, for everybody."""
    keep = math.log(longest - 1)
    set_keep_bias(layer, keep)
    if _kind(layer) in WRITING:
        _set(layer, WRITING[_kind(layer)], -keep)
    return layer


@torch.no_grad()
def set_quiet_inputs(layer: nn.RNNBase, longest: int) -> nn.RNNBase:
    """Divide W by the root of `longest`: that many random inputs then add up to the size of one.

    An orthogonal U keeps a signal's length only near h = 0, where tanh is a straight line; loud
    inputs push the units away from there.
    """
    for suffix in _suffixes(layer):
        getattr(layer, f"weight_ih_{suffix}").div_(math.sqrt(longest))
    return layer


@torch.no_grad()
def set_orthogonal(layer: nn.RNNBase) -> nn.RNNBase:
    """Make every U orthogonal and every bias zero: around h = 0, no step shrinks a signal.

    This is what a network without gates can do for its memory (Le et al. 2015; Saxe et al. 2014).
    """
    for suffix in _suffixes(layer):
        for block in getattr(layer, f"weight_hh_{suffix}").split(layer.hidden_size):
            nn.init.orthogonal_(block)
        if layer.bias:
            getattr(layer, f"bias_ih_{suffix}").zero_()
            getattr(layer, f"bias_hh_{suffix}").zero_()
    return layer


def _set(
    layer: nn.RNNBase, block: int, value: float | Tensor, suffixes: list[str] | None = None
) -> None:
    H = layer.hidden_size
    rows = slice(block * H, (block + 1) * H)
    for suffix in suffixes or _suffixes(layer):
        getattr(layer, f"bias_ih_{suffix}")[rows] = value
        getattr(layer, f"bias_hh_{suffix}")[rows] = 0


def _suffixes(layer: nn.RNNBase) -> list[str]:
    ways = ("", "_reverse") if layer.bidirectional else ("",)
    return [f"l{index}{way}" for index in range(layer.num_layers) for way in ways]


def _kind(layer: nn.RNNBase) -> str:
    mode = getattr(layer, "mode", type(layer).__name__)
    if mode not in KEEPING:
        raise TypeError(f"a {mode} has no gate that keeps: pass an LSTM or a GRU")
    if not layer.bias:
        raise ValueError("this layer has no biases to set: make it with bias=True")
    return mode
