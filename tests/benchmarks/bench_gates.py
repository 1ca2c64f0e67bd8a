"""Jacobians of gated steps in closed form, against autograd once a step."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.autograd.functional import jacobian

from course_utils.analysis.gates.jacobians import lstm_step_jacobian, run_lstm
from course_utils.models import LSTM, LSTMState, lstm_step
from tests.benchmarks.measure import Row, speedup

T, B, D, H = 20, 8, 32, 64


def rows() -> list[Row]:
    """Compare every step's whole Jacobian with the obvious way to get it."""
    x, layer = torch.randn(T, B, D), LSTM(D, H)
    return [
        speedup(
            "lstm_step_jacobian against autograd's jacobian at every step",
            lambda: in_closed_form(layer, x),
            lambda: by_autograd(layer, x),
            ">= 10",
            repeats=3,
            warmup=1,
        )
    ]


@torch.no_grad()
def in_closed_form(layer: LSTM, x: Tensor) -> Tensor:
    """Return every step's d(h_t, c_t)/d(h_{t-1}, c_{t-1}) from a zero state, (T, B, 2H, 2H)."""
    return lstm_step_jacobian(run_lstm(layer, x), layer.weights().U)


def by_autograd(layer: LSTM, x: Tensor) -> Tensor:
    """Return the same; one Jacobian of the batch's sum serves all of it."""

    def step(state: Tensor, x_t: Tensor) -> Tensor:
        after = lstm_step(x_t, LSTMState(*state.chunk(2, dim=-1)), layer.weights())
        return torch.cat([after.h, after.c], dim=-1)

    found, state = [], x.new_zeros(B, 2 * H)
    for x_t in x:
        summed = jacobian(lambda s, x_t=x_t: step(s, x_t).sum(0), state)
        found.append(summed.transpose(0, 1))  # (B, S, S)
        state = step(state, x_t).detach()
    return torch.stack(found)
