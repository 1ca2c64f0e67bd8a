"""Solutions of lecture 01."""

from __future__ import annotations

import torch


def embed_both_ways(table, ids, upstream):
    rows = table[ids]
    gradient = torch.zeros_like(table).index_add(0, ids, upstream)
    return rows, gradient


def next_state(x_t, h_before, W, U, b):
    return torch.tanh(W @ x_t + U @ h_before + b)


def gradient_of_U(h, U, from_losses):
    total = torch.zeros_like(U)
    back = torch.zeros_like(h[0])  # what later losses say of the state
    for t in range(len(from_losses), 0, -1):
        d_a = (from_losses[t - 1] + back) * (1 - h[t] ** 2)
        total = total + torch.outer(d_a, h[t - 1])
        back = U.T @ d_a
    return total


def perplexity(log_probs):
    return torch.exp(-log_probs.mean())
