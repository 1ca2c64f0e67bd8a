"""The kinds of recurrent layers, by PyTorch's names: equations, edits, gates and kernel of each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.models.layers import gate_products as plain
from course_utils.models.layers import gate_products_fast as fast
from course_utils.models.layers.edits import settle_elman, settle_gru, settle_lstm
from course_utils.models.steps import Step, elman_step, gru_step, lstm_step


class CellKind(NamedTuple):
    """What distinguishes one kind of recurrent layer from another."""

    step: Callable[..., Step]  # its equations: (x_t, prev, weights)
    settle: Callable[..., Step]  # what follows from (step, changed fields, x_t, prev, weights)
    gates: Callable[..., Step]  # all gates of all steps: (x, h, start, weights)
    gates_fast: Callable[..., Step]  # the same, in place and without gradients
    fused: Callable[..., tuple[Tensor, ...]]  # PyTorch's kernel


KINDS = {
    "RNN_TANH": CellKind(
        elman_step,
        partial(settle_elman, g=torch.tanh),
        plain.elman_gates,
        fast.elman_gates,
        torch.rnn_tanh,
    ),
    "RNN_RELU": CellKind(
        partial(elman_step, g=torch.relu),
        partial(settle_elman, g=torch.relu),
        plain.elman_gates,
        fast.elman_gates,
        torch.rnn_relu,
    ),
    "LSTM": CellKind(lstm_step, settle_lstm, plain.lstm_gates, fast.lstm_gates, torch.lstm),
    "GRU": CellKind(gru_step, settle_gru, plain.gru_gates, fast.gru_gates, torch.gru),
}
