"""Solutions of lecture 03."""

from __future__ import annotations

import torch


def one_lstm_step(x_t, h_prev, c_prev, W, U, b):
    a = x_t @ W.T + h_prev @ U.T + b  # (B, 4H)
    a_i, a_f, a_g, a_o = a.chunk(4, dim=-1)
    f = torch.sigmoid(a_f)
    i = torch.sigmoid(a_i)
    g = torch.tanh(a_g)
    c = f * c_prev + i * g
    o = torch.sigmoid(a_o)
    return o * torch.tanh(c), c


def direct_path_gradient(f):
    return f.prod(dim=0)


def latch_by_hand(strength):
    W = torch.zeros(4, 2)  # rows i f g o, columns value and write
    W[0, 1] = 2 * strength
    W[1, 1] = -2 * strength
    W[2, 0] = 2.0
    b = torch.tensor([-strength, strength, 0.0, strength])
    return W, b
