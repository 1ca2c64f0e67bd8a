"""Every gate of every step from one product, once the hidden states are known.

With h_{t-1} of all steps at hand, no step waits for another: the equations of `steps.py` hold for
a (T, B, H) tensor just as they do for one step. This module applies them that way;
`gate_products_fast.py` does the same without gradients, in place and faster.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import linear

from course_utils.models.steps import ElmanStep, GRUStep, LSTMState, LSTMStep, State, Weights


def elman_gates(x: Tensor, h: Tensor, start: State, weights: Weights) -> ElmanStep:
    """Return h and the pre-activation of all steps."""
    W, U, b, b_U = weights
    return ElmanStep(h, linear(x, W, b) + linear(previous(h, start.h), U, b_U))


def lstm_gates(x: Tensor, h: Tensor, start: LSTMState, weights: Weights) -> LSTMStep:
    """Return h, the memory cell and the gates of all steps."""
    W, U, b, b_U = weights
    a = linear(x, W, b) + linear(previous(h, start.h), U, b_U)  # (T, B, 4H)
    a_i, a_f, a_g, a_o = a.chunk(4, dim=-1)
    i, f, g, o = a_i.sigmoid(), a_f.sigmoid(), a_g.tanh(), a_o.sigmoid()
    c, cells = start.c, []
    for f_t, written in zip(f.unbind(), (i * g).unbind(), strict=True):
        c = torch.addcmul(written, f_t, c)  # (3.4)
        cells.append(c)
    return LSTMStep(h, torch.stack(cells), i, f, g, o)


def gru_gates(x: Tensor, h: Tensor, start: State, weights: Weights) -> GRUStep:
    """Return h and the gates of all steps."""
    W, U, b, b_U = weights
    x_r, x_z, x_n = linear(x, W, b).chunk(3, dim=-1)
    h_r, h_z, h_n = linear(previous(h, start.h), U, b_U).chunk(3, dim=-1)
    r, z = torch.sigmoid(x_r + h_r), torch.sigmoid(x_z + h_z)
    return GRUStep(h, r, z, torch.tanh(x_n + r * h_n))


def previous(h: Tensor, h_0: Tensor) -> Tensor:
    """Return h_{t-1} for every t: the start, then all but the last."""
    return torch.cat([h_0.to(h.dtype).unsqueeze(0), h[:-1]])  # (T, B, H)
