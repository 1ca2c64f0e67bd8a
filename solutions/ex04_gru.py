"""Solutions of lecture 04."""

from __future__ import annotations

import math

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


def elman_start(H):
    Q, _ = torch.linalg.qr(torch.randn(H, H))  # any orthogonal matrix will do
    return Q, torch.zeros(H)  # without a bias, tanh rests where its slope is 1


def what_ten_seeds_allow():
    return {
        "A": "shown",  # one run is enough for "can"
        "B": "refuted",  # and one for "every"
        "C": "open",  # two coins of ten throws differ by as much
        "D": "refuted",
        "E": "open",  # never speaks of all seeds, and of any training
        "F": "shown",  # the order turns round from one column to another
    }


def which_hold():
    return {
        "A": True,  # all but the 3 and the 4 cancels
        "B": False,  # U grows with the square
        "C": False,  # who wrote the kernel?
        "D": False,  # each step waits for the one before
        "E": True,
        "F": False,  # the square again: 284 units
    }


def time_constant(bias, renews):
    bias = -bias if renews else bias  # 1 - sigmoid(b) = sigmoid(-b)
    z = 1 / (1 + math.exp(-bias))
    return 1 / (1 - z)  # which is 1 + exp(bias)


def hold_update_gate(x, W, U, b, unit, value):
    H = U.shape[1]
    h, states = x.new_zeros(x.shape[1], H), []
    for x_t in x:
        gates = torch.sigmoid(x_t @ W[: 2 * H].T + h @ U[: 2 * H].T + b[: 2 * H])
        r, u = gates[:, :H], gates[:, H:]
        u[:, unit] = value  # the one line that is new
        n = torch.tanh(x_t @ W[2 * H :].T + (r * h) @ U[2 * H :].T + b[2 * H :])
        h = (1 - u) * h + u * n
        states.append(h)
    return torch.stack(states)
