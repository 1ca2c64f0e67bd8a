"""Solutions of lecture 04."""

from __future__ import annotations

import torch


def gru_step(x_t, h_prev, W, U, b):
    x_r, x_u, x_n = (x_t @ W.T + b).chunk(3, dim=-1)
    U_r, U_u, U_n = U.chunk(3)
    r = torch.sigmoid(x_r + h_prev @ U_r.T)
    u = torch.sigmoid(x_u + h_prev @ U_u.T)
    n = torch.tanh(x_n + (r * h_prev) @ U_n.T)  # reset first, then the product
    return (1 - u) * h_prev + u * n


def to_keeping(W, U, b):
    H = U.shape[1]
    sign = torch.ones_like(b)
    sign[H : 2 * H] = -1  # 1 - sigmoid(a) = sigmoid(-a)
    return sign.unsqueeze(1) * W, sign.unsqueeze(1) * U, sign * b


def count_parameters(gates, D, H):
    return gates * H * (D + H + 2)  # W, U and PyTorch's two biases
