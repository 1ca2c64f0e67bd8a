"""The kinds of recurrent layers, by PyTorch's names: equations, edits, gates and kernel of each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.models.layers.edits import settle_elman, settle_gru, settle_lstm
from course_utils.models.steps import Step, elman_step, gru_step, lstm_step


class CellKind(NamedTuple):
    """What tells one kind of recurrent layer from another."""

    step: Callable[..., Step]  # its equations: (x_t, prev, weights)
    settle: Callable[..., Step]  # what follows from (step, changed fields, x_t, prev, weights)
    gates: str  # the function of `gate_products` (and its fast twin) that gives all gates
    fused: Callable[..., tuple[Tensor, ...]]  # PyTorch's kernel


KINDS = {
    "RNN_TANH": CellKind(
        elman_step, partial(settle_elman, g=torch.tanh), "elman_gates", torch.rnn_tanh
    ),
    "RNN_RELU": CellKind(
        partial(elman_step, g=torch.relu),
        partial(settle_elman, g=torch.relu),
        "elman_gates",
        torch.rnn_relu,
    ),
    "LSTM": CellKind(lstm_step, settle_lstm, "lstm_gates", torch.lstm),
    "GRU": CellKind(gru_step, settle_gru, "gru_gates", torch.gru),
}
