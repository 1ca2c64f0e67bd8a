"""One step of each recurrent network, one equation per line, every gate returned.

Symbols: x_t input, h hidden state, c memory cell, i f o gates, g candidate, r reset and z update
gate; W input-to-hidden, U hidden-to-hidden. PyTorch adds two biases, b beside W and b_U beside U.
An equation is numbered by its lecture and its place there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import torch
from torch import Tensor
from torch.nn.functional import linear


class Weights(NamedTuple):
    """The parameters of one layer and direction, gates stacked along the rows as in PyTorch."""

    W: Tensor  # (gates * H, D)
    U: Tensor  # (gates * H, H)
    b: Tensor | None = None  # (gates * H,)
    b_U: Tensor | None = None  # (gates * H,)


class State(NamedTuple):
    """What an Elman network or a GRU carries from step to step."""

    h: Tensor


class LSTMState(NamedTuple):
    """What an LSTM carries from step to step."""

    h: Tensor
    c: Tensor


class ElmanStep(NamedTuple):
    """The new state of an Elman network and the pre-activation a that it came from."""

    h: Tensor
    a: Tensor


class LSTMStep(NamedTuple):
    """The new state of an LSTM and every gate that made it."""

    h: Tensor
    c: Tensor
    i: Tensor
    f: Tensor
    g: Tensor
    o: Tensor


class GRUStep(NamedTuple):
    """The new state of a GRU and every gate that made it."""

    h: Tensor
    r: Tensor
    z: Tensor
    n: Tensor


Step = ElmanStep | LSTMStep | GRUStep
Carried = State | LSTMState
Fields = TypeVar("Fields", bound=Step | Carried)


def each_field(of: Fields, change: Callable[[Tensor], Tensor]) -> Fields:
    """Return a step or a state with the same change made to every field."""
    return type(of)(*map(change, of))


def elman_step(
    x_t: Tensor,
    prev: Carried | Step | Tensor,
    weights: Weights,
    g: Callable[[Tensor], Tensor] = torch.tanh,
) -> ElmanStep:
    """Return h_t = g(W x_t + U h_{t-1} + b)."""
    h_prev = _hidden(prev)  # (B, H)
    W, U, b, b_U = weights
    a = linear(x_t, W, b) + linear(h_prev, U, b_U)  # (2.1)  (B, H)
    h = g(a)  # (2.1)
    return ElmanStep(h, a)


def lstm_step(
    x_t: Tensor, prev: LSTMState | LSTMStep | tuple[Tensor, ...], weights: Weights
) -> LSTMStep:
    """Forget part of the memory cell, write to it, read part of it; `prev` starts with h, c."""
    h_prev, c_prev = prev[:2]  # (B, H) each
    W, U, b, b_U = weights
    a = linear(x_t, W, b) + linear(h_prev, U, b_U)  # (B, 4H)
    a_i, a_f, a_g, a_o = a.chunk(4, dim=-1)  # PyTorch's order; (B, H) each
    f = torch.sigmoid(a_f)  # (3.1) how much of the old memory stays
    i = torch.sigmoid(a_i)  # (3.2) how much of the candidate is written
    g = torch.tanh(a_g)  # (3.3) the candidate
    c = f * c_prev + i * g  # (3.4) the memory cell
    o = torch.sigmoid(a_o)  # (3.5) how much of the memory is read
    h = o * torch.tanh(c)  # (3.6)
    return LSTMStep(h, c, i, f, g, o)


def gru_step(x_t: Tensor, prev: Carried | Step | Tensor, weights: Weights) -> GRUStep:
    """Mix the old state with a candidate; as in PyTorch, z keeps the old state, r acts after U."""
    h_prev = _hidden(prev)  # (B, H)
    W, U, b, b_U = weights
    x_r, x_z, x_n = linear(x_t, W, b).chunk(3, dim=-1)  # PyTorch's order; (B, H) each
    h_r, h_z, h_n = linear(h_prev, U, b_U).chunk(3, dim=-1)
    r = torch.sigmoid(x_r + h_r)  # (4.1) how much of the old state the candidate sees
    z = torch.sigmoid(x_z + h_z)  # (4.2), z = 1 - u: how much of the old state stays
    n = torch.tanh(x_n + r * h_n)  # (4.3), but r acts after U: the candidate
    h = (1 - z) * n + z * h_prev  # (4.4)
    return GRUStep(h, r, z, n)


def _hidden(prev: Carried | Step | Tensor) -> Tensor:
    """Return h of a state or a step, or the tensor itself."""
    return prev if isinstance(prev, Tensor) else prev[0]
