"""Turn every input that torch.nn's recurrent layers accept into one form: (T, B, D), padded."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence, pad_packed_sequence

from course_utils.models.layers.products import autocast_type
from course_utils.models.steps import LSTMState, State

Start = Tensor | tuple[Tensor, ...]  # a state as torch.nn's layers take it


class Sequences(NamedTuple):
    """A padded batch, the lengths of its sequences, and the states it starts from."""

    x: Tensor  # (T, B, D)
    starts: list[State | LSTMState]  # one per layer and direction, each field (B, H)
    lengths: Tensor | None  # (B,), None when all are T long
    batched: bool

    @property
    def real(self) -> Tensor | None:
        """Return (T, B, 1), True where a token stands, or None when there is no padding."""
        if self.lengths is None:
            return None
        steps = torch.arange(len(self.x), device=self.x.device)
        return (steps[:, None] < self.lengths)[..., None]


def read_sequences(
    layer: nn.RNNBase, x: Tensor | PackedSequence, state: Start | None = None
) -> Sequences:
    """Return the input of `layer` as padded sequences, checked as the layer's own forward does."""
    if layer.proj_size:
        raise ValueError(
            f"trace and rollout do not know proj_size={layer.proj_size}: build the layer without "
            f"it and put torch.nn.Linear({layer.hidden_size}, {layer.proj_size}) behind it"
        )
    refuse_odd(layer, x, state)
    lengths, batched = None, True
    if isinstance(x, PackedSequence):
        x, lengths = pad_packed_sequence(x)  # in the caller's order
        lengths = lengths.to(x.device)
    elif x.dim() == 2:
        batched = False
        x = x.unsqueeze(1)
        state = _add_batch(state)
    elif x.dim() != 3:
        raise ValueError(
            f"x has {x.dim()} dimensions: give (T, B, D), (B, T, D) with batch_first=True, "
            "(T, D), or a PackedSequence"
        )
    elif layer.batch_first:
        x = x.transpose(0, 1)
    return Sequences(x, _starts(layer, x, state), lengths, batched)


def refuse_odd(layer: nn.RNNBase, x: Tensor | PackedSequence, state: Start | None = None) -> None:
    """Refuse what is not a sequence or a state, in clearer words than PyTorch's."""
    if not isinstance(x, Tensor | PackedSequence):
        raise TypeError(
            f"x is a {type(x).__name__}: give a tensor, such as torch.tensor(x), or a "
            "PackedSequence"
        )
    if layer.mode == "LSTM" and isinstance(state, Tensor):
        raise ValueError("state is one tensor, but an LSTM carries two: give (h, c)")
    for part in (state,) if isinstance(state, Tensor) else state or ():
        _same_kind(layer, "state", part)


def reverse_time(x: Tensor, lengths: Tensor | None) -> Tensor:
    """Reverse every sequence of (T, B, *) within its own length; padding stays at the end."""
    if lengths is None:
        return x.flip(0)
    steps = torch.arange(len(x), device=x.device)[:, None]  # (T, 1)
    source = torch.where(steps < lengths, lengths - 1 - steps, steps)  # (T, B)
    return x.gather(0, source[..., None].expand_as(x))


def _add_batch(state: Start | None) -> Start | None:
    if state is None:
        return None
    if isinstance(state, Tensor):
        return state.unsqueeze(1)
    return tuple(part.unsqueeze(1) for part in state)


def _starts(layer: nn.RNNBase, x: Tensor, state: Start | None) -> list[State | LSTMState]:
    """Split PyTorch's (layers * directions, B, H) states, or make zeros."""
    T, B, D = x.shape
    if layer.input_size != D:
        raise ValueError(f"x has {D} features, but the layer was built for {layer.input_size}")
    if T == 0:
        raise ValueError("x has no steps: give a sequence of at least one")
    _same_kind(layer, "x", x)
    kind = LSTMState if layer.mode == "LSTM" else State
    shape = (layer.num_layers * (2 if layer.bidirectional else 1), B, layer.hidden_size)
    if state is None:
        zeros = x.new_zeros(shape)
        state = kind(*[zeros] * len(kind._fields))
    elif isinstance(state, Tensor):
        state = (state,)
    if len(state) != len(kind._fields) or any(part.shape != shape for part in state):
        raise ValueError(
            f"state must be {' and '.join(kind._fields)} of shape {shape} "
            f"(layers * directions, B, H), not {[tuple(part.shape) for part in state]}"
        )
    return [kind(*parts) for parts in zip(*(part.unbind(0) for part in state), strict=True)]


def _same_kind(layer: nn.RNNBase, name: str, given: Tensor) -> None:
    """Refuse a dtype that differs from the weights', unless autocast reconciles them."""
    dtype = layer.weight_ih_l0.dtype
    if given.dtype != dtype and not autocast_type(given):
        raise ValueError(
            f"{name} is {given.dtype}, but the layer's weights are {dtype}: "
            f"use {name}.to({dtype}) or layer.to({given.dtype})"
        )
