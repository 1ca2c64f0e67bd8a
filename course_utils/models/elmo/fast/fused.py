"""A projected LSTM as a fused LSTM and a product: for training, where no clip is wanted.

The projected state enters the gates as U V m, with m = o tanh(c) as wide as the cell. So U V is an
ordinary recurrent matrix of low rank, m an ordinary hidden state, and the projection V m can wait
until all steps are done. One fused kernel (oneDNN, cuDNN) then does the loop, gradients included.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import linear

from course_utils.models.elmo.projected_lstm import FORGET_BIAS, ProjectedLSTM
from course_utils.models.layers.products import autocast_type


class FusedState(NamedTuple):
    """What one piece of a stream passes to the next: the state before the projection."""

    m: Tensor  # (B, C)
    c: Tensor  # (B, C)


def fused_lstm(
    lstm: ProjectedLSTM, x: Tensor, state: FusedState, drop: float = 0.0
) -> tuple[Tensor, FusedState]:
    """Read x (T, B, P), return (T, B, P); `drop` leaves out that share of the recurrent weights."""
    if lstm.cell_clip is not None or lstm.proj_clip is not None:
        raise ValueError("the fused LSTM cannot clip: train without clips, or call the layer")
    W, U, b, V = lstm.weights
    kind = autocast_type(x) or x.dtype
    recurrent = U.to(kind) if V is None else U.to(kind) @ V.to(kind)  # (4C, C)
    recurrent = thinned(recurrent, drop)
    forget = torch.zeros_like(b, dtype=kind)
    forget.chunk(4)[1].fill_(FORGET_BIAS)
    weights = [W.to(kind), recurrent, b.to(kind), forget]
    start = tuple(part.to(kind).unsqueeze(0) for part in state)
    y, m, c = torch._VF.lstm(
        x.to(kind), start, weights, True, 1, 0.0, torch.is_grad_enabled(), False, False
    )
    h = y if V is None else linear(y, V.to(kind))
    return h.to(x.dtype), FusedState(m[0].to(x.dtype), c[0].to(x.dtype))


def thinned(weights: Tensor, drop: float) -> Tensor:
    """Drop a share of the weights, in steps of 1/256: a random byte each, drawn eight at a time."""
    levels = round(256 * drop)
    if not levels:
        return weights
    words = torch.empty(-(-weights.numel() // 8), dtype=torch.int64, device=weights.device)
    random = words.random_(-(2**63), None).view(torch.uint8)[: weights.numel()]
    return weights * (random.view_as(weights) >= levels) * (256 / (256 - levels))
