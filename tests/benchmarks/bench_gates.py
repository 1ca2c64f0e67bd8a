"""Jacobians of gated steps in closed form, against autograd once a step."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.autograd.functional import jacobian

from course_utils.analysis.gates.jacobians import gru_jacobians, lstm_jacobians
from course_utils.models import GRU, LSTM, LSTMState, gru_step, lstm_step
from tests.benchmarks.measure import Row, speedup

T, B, D, H = 20, 8, 32, 64


def rows() -> list[Row]:
    """Compare every step's whole Jacobian with the obvious way to get it, for both cells."""
    x = torch.randn(T, B, D)
    return [
        speedup(
            f"{ours.__name__} against autograd's jacobian at every step",
            lambda ours=ours, layer=layer: ours(layer, x),
            lambda theirs=theirs, layer=layer: theirs(layer, x),
            ">= 10",
            repeats=3,
            warmup=1,
        )
        for ours, theirs, layer in (
            (lstm_jacobians, lstm_by_autograd, LSTM(D, H)),
            (gru_jacobians, gru_by_autograd, GRU(D, H)),
        )
    ]


def lstm_by_autograd(layer: LSTM, x: Tensor) -> Tensor:
    """Return what `lstm_jacobians` returns, (T, B, 2H, 2H)."""

    def step(x_t: Tensor, state: Tensor) -> Tensor:
        after = lstm_step(x_t, LSTMState(*state.chunk(2, dim=-1)), layer.weights())
        return torch.cat([after.h, after.c], dim=-1)

    return _by_autograd(step, x, x.new_zeros(B, 2 * H))


def gru_by_autograd(layer: GRU, x: Tensor) -> Tensor:
    """Return what `gru_jacobians` returns, (T, B, H, H)."""
    return _by_autograd(lambda x_t, h: gru_step(x_t, h, layer.weights()).h, x, x.new_zeros(B, H))


def _by_autograd(step: Callable[[Tensor, Tensor], Tensor], x: Tensor, state: Tensor) -> Tensor:
    """Ask autograd for every step's Jacobian; one of the batch's sum serves all of it."""
    found = []
    for x_t in x:
        summed = lambda s, x_t=x_t: step(x_t, s).sum(0)  # noqa: E731
        found.append(jacobian(summed, state).transpose(0, 1))  # (B, S, S)
        state = step(x_t, state).detach()
    return torch.stack(found)
