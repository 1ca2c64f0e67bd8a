"""Compute the Jacobians of a gated step in closed form, and pass gradients through it.

The LSTM's state is the pair (h, c), taken as one vector of 2H numbers, h first; the GRU's is h.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from course_utils.models import GRU, LSTM, GRUStep, LSTMStep, Weights
from course_utils.models.layers.gate_products import previous


class LSTMSlopes(NamedTuple):
    """How c and h of a step answer to its pre-activations a_i a_f a_g a_o, and h to c."""

    c_by_i: Tensor
    c_by_f: Tensor
    c_by_g: Tensor
    h_by_o: Tensor
    h_by_c: Tensor
    f: Tensor  # and c to the old c


class GRUSlopes(NamedTuple):
    """How h of a step answers to U_r h, U_z h and U_n h, and to h itself past the gates."""

    h_by_r: Tensor
    h_by_z: Tensor
    h_by_n: Tensor
    z: Tensor


def lstm_slopes(step: LSTMStep, c_prev: Tensor) -> LSTMSlopes:
    """Differentiate equations 3.1 to 3.6; every field has the shape of the step's."""
    _, c, i, f, g, o = step
    read = torch.tanh(c)
    return LSTMSlopes(
        c_by_i=g * i * (1 - i),
        c_by_f=c_prev * f * (1 - f),
        c_by_g=i * (1 - g * g),
        h_by_o=read * o * (1 - o),
        h_by_c=o * (1 - read * read),
        f=f,
    )


def gru_slopes(step: GRUStep, h_prev: Tensor, weights: Weights) -> GRUSlopes:
    """Differentiate equations 4.1 to 4.4; every field has the shape of the step's."""
    _, r, z, n = step
    b_n = 0 if weights.b_U is None else weights.b_U.chunk(3)[2]
    h_n = h_prev @ weights.U.chunk(3)[2].T + b_n  # what the reset gate multiplies
    by_candidate = (1 - z) * (1 - n * n)
    return GRUSlopes(
        h_by_r=by_candidate * h_n * r * (1 - r),
        h_by_z=(h_prev - n) * z * (1 - z),
        h_by_n=by_candidate * r,
        z=z,
    )


def lstm_step_jacobian(slopes: LSTMSlopes, U: Tensor) -> Tensor:
    """Return d(h_t, c_t)/d(h_{t-1}, c_{t-1}), (..., 2H, 2H)."""
    s, H = slopes, U.shape[1]
    h_by_h, c_by_h = _through_pre_activations(slopes, U)
    jacobian = U.new_zeros(*s.f.shape[:-1], 2 * H, 2 * H)
    jacobian[..., :H, :H], jacobian[..., H:, :H] = h_by_h, c_by_h
    jacobian[..., :H, H:] = torch.diag_embed(s.h_by_c * s.f)
    jacobian[..., H:, H:] = torch.diag_embed(s.f)
    return jacobian


def lstm_input_jacobian(slopes: LSTMSlopes, W: Tensor) -> Tensor:
    """Return d(h_t, c_t)/dx_t, (..., 2H, D)."""
    return torch.cat(_through_pre_activations(slopes, W), dim=-2)


def lstm_back(v_h: Tensor, v_c: Tensor, slopes: LSTMSlopes, U: Tensor) -> tuple[Tensor, Tensor]:
    """Return (v_h, v_c) times the step's Jacobian without building it."""
    s = slopes
    v_c = v_c + v_h * s.h_by_c
    v_a = torch.cat([v_c * s.c_by_i, v_c * s.c_by_f, v_c * s.c_by_g, v_h * s.h_by_o], dim=-1)
    return v_a @ U, v_c * s.f


def gru_back(v: Tensor, slopes: GRUSlopes, U: Tensor) -> Tensor:
    """Return v times the step's Jacobian without building it."""
    s = slopes
    return torch.cat([v * s.h_by_r, v * s.h_by_z, v * s.h_by_n], dim=-1) @ U + v * s.z


@torch.no_grad()
def run_lstm(layer: LSTM, x: Tensor) -> LSTMSlopes:
    """Return the slopes of all steps of one layer, (T, B, H) each."""
    refuse_unusable(layer, LSTM)
    (step,) = layer.trace(x)
    return lstm_slopes(step, _before(step.c))


@torch.no_grad()
def run_gru(layer: GRU, x: Tensor) -> GRUSlopes:
    """Return the slopes of all steps of one layer, (T, B, H) each."""
    refuse_unusable(layer, GRU)
    (step,) = layer.trace(x)
    return gru_slopes(step, _before(step.h), layer.weights())


def refuse_unusable(layer: object, kind: type[nn.RNNBase]) -> None:
    """Refuse anything but a single recurrence of this kind, and say what to pass."""
    name = kind.__name__
    if not isinstance(layer, kind):
        raise TypeError(f"pass a course_utils.models.{name}, not a {type(layer).__name__}")
    if layer.num_layers > 1 or layer.bidirectional:
        raise ValueError(
            "a stacked or bidirectional layer has several recurrences: pass one of them, as "
            f"{name}(D, H) with that part's weights"
        )


def _before(states: Tensor) -> Tensor:
    return previous(states, torch.zeros_like(states[0]))


def _through_pre_activations(slopes: LSTMSlopes, M: Tensor) -> tuple[Tensor, Tensor]:
    """Return how h and c answer to y when the pre-activations hold M y, (..., H, K) each."""
    by_i, by_f, by_g, by_o, by_c = (slope.unsqueeze(-1) for slope in slopes[:5])
    M_i, M_f, M_g, M_o = M.chunk(4)
    c = by_i * M_i + by_f * M_f + by_g * M_g
    return by_o * M_o + by_c * c, c
