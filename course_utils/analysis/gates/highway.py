"""Follow gradients back through gated networks, on the same axes as an Elman network's."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from course_utils.analysis.gates.jacobians import (
    GRUSlopes,
    LSTMSlopes,
    gru_back,
    lstm_back,
    run_gru,
    run_lstm,
)
from course_utils.analysis.gradients.bptt import gradient_norms_by_lag, loss_gradient_of
from course_utils.models import GRU, LSTM


class StateGradients(NamedTuple):
    """dJ_T/dh and dJ_T/dc at the lags 0 to T - 1, (T, B, H) each; a GRU has no c."""

    h: Tensor
    c: Tensor | None = None

    @property
    def norms(self) -> Tensor:
        """Return the length of the whole state's gradient, (T, B)."""
        parts = [part for part in self if part is not None]
        lengths: Tensor = torch.cat(parts, dim=-1).norm(dim=-1)
        return lengths


@torch.no_grad()
def state_gradients_by_lag(
    layer: LSTM | GRU, x: Tensor, loss_gradient: Tensor | None = None
) -> StateGradients:
    """Return the gradient of a loss on h_T alone, for every earlier state.

    `loss_gradient` is dJ_T/dh_T, (B, H) or (H,); by default a unit vector, equal in all units.
    """
    if isinstance(layer, LSTM):
        return _back_through_lstm(run_lstm(layer, x), layer.weights().U, loss_gradient)
    return _back_through_gru(run_gru(layer, x), layer.weights().U, loss_gradient)


def _back_through_lstm(
    slopes: LSTMSlopes, U: Tensor, loss_gradient: Tensor | None
) -> StateGradients:
    h = [loss_gradient_of(loss_gradient, slopes.f)]
    c = [torch.zeros_like(h[0])]
    for step in zip(*(slope.flip(0)[:-1] for slope in slopes), strict=True):
        v_h, v_c = lstm_back(h[-1], c[-1], LSTMSlopes(*step), U)
        h.append(v_h)
        c.append(v_c)
    return StateGradients(torch.stack(h), torch.stack(c))


def _back_through_gru(slopes: GRUSlopes, U: Tensor, loss_gradient: Tensor | None) -> StateGradients:
    h = [loss_gradient_of(loss_gradient, slopes.z)]
    for step in zip(*(slope.flip(0)[:-1] for slope in slopes), strict=True):
        h.append(gru_back(h[-1], GRUSlopes(*step), U))
    return StateGradients(torch.stack(h))


def state_gradient_norms(
    layer: nn.RNN | LSTM | GRU, x: Tensor, loss_gradient: Tensor | None = None
) -> Tensor:
    """Return ||dJ_T/d(state at lag)|| for the lags 0 to T - 1, (T, B), of any of the three."""
    if isinstance(layer, LSTM | GRU):
        return state_gradients_by_lag(layer, x, loss_gradient).norms
    return gradient_norms_by_lag(layer, x, loss_gradient)


@torch.no_grad()
def direct_path(f: Tensor, t: int | None = None) -> Tensor:
    """Return dc_t/dc_{t-lag} past all gates' inputs, for the lags 0 to t: products of f.

    `f` is (T, ...) as a trace gives it; the result (t + 1, ...), with t = T unless given.
    """
    T = len(f)
    t = T if t is None else t
    if not 1 <= t <= T:
        raise ValueError(f"there is no step {t}: pass t from 1 to {T}")
    factors = torch.cat([torch.ones_like(f[:1]), f[:t].flip(0)])
    return factors.cumprod(dim=0)


def half_life(gate: float) -> float:
    """Return after how many steps a gate that stays at this value has halved what it keeps."""
    if not 0 < gate < 1:
        raise ValueError(f"the gate is {gate}: a sigmoid stays between 0 and 1, both left out")
    return math.log(0.5) / math.log(gate)


def gate_of_half_life(steps: float) -> float:
    """Return the gate that halves what it keeps in `steps` steps."""
    if not steps > 0:
        raise ValueError(f"{steps} steps: pass a positive number")
    return math.pow(0.5, 1 / steps)
