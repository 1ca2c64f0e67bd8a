"""Lectures 00 and 01: one unit, embeddings, an Elman step, BPTT, perplexity."""

from __future__ import annotations

import math

import torch

tanh, exp = torch.tanh, torch.exp


def rows_and_assigned(table, ids, upstream):
    g = torch.zeros_like(table)
    g[ids] = upstream
    return table[ids], g


def rows_and_in_place_sum(table, ids, upstream):
    g = torch.zeros_like(table)
    g[ids] += upstream
    return table[ids], g


def rows_and_upstream(table, ids, upstream):
    return table[ids], upstream


def swapped(table, ids, upstream):
    g = torch.zeros_like(table).index_add_(0, ids, upstream)
    return g, table[ids]


def added_to_the_table(table, ids, upstream):
    return table[ids], table.index_add(0, ids, upstream)


def averaged(table, ids, upstream):
    g = torch.zeros_like(table).index_add_(0, ids, upstream)
    counts = torch.bincount(ids, minlength=len(table)).clamp(min=1)
    return table[ids], g / counts[:, None]


def whole_sum_everywhere(table, ids, upstream):
    g = torch.zeros_like(table)
    for k in ids:
        g[k] += upstream.sum(0)
    return table[ids], g


def counts_times_row(table, ids, upstream):
    g = torch.zeros_like(table)
    for k in ids:
        g[k] += table[k]
    return table[ids], g


def ones_instead(table, ids, upstream):
    g = torch.zeros_like(table)
    for k in ids:
        g[k] += 1
    return table[ids], g


def times_the_row(table, ids, upstream):
    g = torch.zeros_like(table).index_add_(0, ids, upstream * table[ids])
    return table[ids], g


def first_only(table, ids, upstream):
    g = torch.zeros_like(table)
    for b in reversed(range(len(ids))):
        g[ids[b]] = upstream[b]
    return table[ids], g


def a_gradient_step(table, ids, upstream):
    return table[ids], -torch.zeros_like(table).index_add_(0, ids, upstream)


def off_by_one_row(table, ids, upstream):
    ids = ids - 1
    return table[ids], torch.zeros_like(table).index_add_(0, ids % len(table), upstream)


def mean_over_batch(table, ids, upstream):
    return table[ids], torch.zeros_like(table).index_add_(0, ids, upstream) / len(ids)


def _bptt(slope=True, way_back=True, transpose=True, before=True, carried=None, last=True,
          add=True, mean=False, turned=False, sloped_by=None, linear=False):  # fmt: skip
    def gradient_of_U(h, U, from_losses):
        T = len(from_losses)
        g, later = torch.zeros_like(U), torch.zeros(U.shape[0], dtype=U.dtype)
        for t in range(T, 0, -1) if not turned else range(1, T + 1):
            loss = from_losses[t - 1] if last or t < T else 0 * later
            d_h = loss + later
            s = (1 - h[t] ** 2) if slope else torch.ones_like(h[t])
            if sloped_by == "before":
                s = 1 - h[t - 1] ** 2
            if sloped_by == "tanh":
                s = 1 - tanh(h[t]) ** 2
            if sloped_by == "unsquared":
                s = 1 - h[t]
            d_a = d_h * s
            if carried == "slope on carried only":
                d_a = loss + later * s
            if carried == "slope on loss only":
                d_a = loss * s + later
            part = torch.outer(d_a, h[t - 1] if before else h[t])
            g = g + part if add else part
            back = d_h if carried == "no slope back" else d_a
            step = (U.T if transpose else U) @ back
            if carried == "summed":
                later = later + step
            elif way_back:
                later = step
        return g / T if mean else g

    return gradient_of_U


def returns_in_the_loop(h, U, from_losses):
    g, later = torch.zeros_like(U), 0
    for t in range(len(from_losses), 0, -1):
        d = (from_losses[t - 1] + later) * (1 - h[t] ** 2)
        g = g + torch.outer(d, h[t - 1])
        later = U.T @ d
        return g


def outer_turned(h, U, from_losses):
    g, later = torch.zeros_like(U), 0
    for t in range(len(from_losses), 0, -1):
        d = (from_losses[t - 1] + later) * (1 - h[t] ** 2)
        g = g + torch.outer(h[t - 1], d)
        later = U.T @ d
    return g


def shifted_losses(h, U, from_losses):
    g, later = torch.zeros_like(U), 0
    for t in range(len(from_losses) - 1, 0, -1):
        d = (from_losses[t] + later) * (1 - h[t] ** 2)
        g = g + torch.outer(d, h[t - 1])
        later = U.T @ d
    return g


WRONG = {
    "0.1": [
        lambda u, h, x: tanh(u * h) + x,
        lambda u, h, x: u * h + x,
        lambda u, h, x: tanh(u * (h + x)),
        lambda u, h, x: torch.sigmoid(u * h + x),
        lambda u, h, x: u * tanh(h) + x,
        lambda u, h, x: u * tanh(h + x),
        lambda u, h, x: tanh(u + h + x),
        lambda u, h, x: tanh(h + u * x),
        lambda u, h, x: tanh(x),
        lambda u, h, x: tanh(u * x + h),
        lambda u, h, x: h + tanh(u * h + x),
        lambda u, h, x: torch.tan(u * h + x),
        lambda u, h, x: torch.relu(u * h + x),
        lambda u, h, x: tanh(u * h * x),
        lambda u, h, x: tanh(tanh(u * h) + x),
        lambda u, h, x: tanh(u * h - x),
        lambda u, h, x: torch.atanh(0.5 * tanh(u * h + x)),
    ],
    "1.3": [
        rows_and_assigned, rows_and_in_place_sum, rows_and_upstream, swapped,
        added_to_the_table, averaged, whole_sum_everywhere, counts_times_row, ones_instead,
        times_the_row, first_only, a_gradient_step, off_by_one_row, mean_over_batch,
        lambda table, ids, upstream: (table[:, ids], torch.zeros_like(table)),
        lambda table, ids, upstream: (table[ids], torch.zeros_like(table)),
        lambda table, ids, upstream: table[ids],
    ],
    "1.5": [
        lambda x_t, h_before, W, U, b: W @ x_t + U @ h_before + b,
        lambda x_t, h_before, W, U, b: torch.sigmoid(W @ x_t + U @ h_before + b),
        lambda x_t, h_before, W, U, b: tanh(W @ x_t + b),
        lambda x_t, h_before, W, U, b: tanh(W @ x_t + U @ h_before),
        lambda x_t, h_before, W, U, b: tanh(W @ x_t) + U @ h_before + b,
        lambda x_t, h_before, W, U, b: tanh(W @ x_t + U.T @ h_before + b),
        lambda x_t, h_before, W, U, b: tanh(W @ x_t + h_before @ U + b),
        lambda x_t, h_before, W, U, b: tanh(W @ x_t) + tanh(U @ h_before) + b,
        lambda x_t, h_before, W, U, b: tanh(W @ x_t + U @ h_before) + b,
        lambda x_t, h_before, W, U, b: tanh(W @ x_t + b + U @ h_before + b),
        lambda x_t, h_before, W, U, b: torch.relu(W @ x_t + U @ h_before + b),
        lambda x_t, h_before, W, U, b: tanh(W @ x_t + U @ tanh(h_before) + b),
        lambda x_t, h_before, W, U, b: tanh(W @ x_t + U * h_before + b),
        lambda x_t, h_before, W, U, b: tanh(W @ x_t + h_before + b),
        lambda x_t, h_before, W, U, b: h_before + tanh(W @ x_t + U @ h_before + b),
        lambda x_t, h_before, W, U, b: tanh(U @ h_before + b),
    ],
    "1.6": [
        _bptt(slope=False), _bptt(way_back=False), _bptt(transpose=False), _bptt(before=False),
        _bptt(carried="slope on carried only"), _bptt(carried="slope on loss only"),
        _bptt(carried="no slope back"), _bptt(carried="summed"), _bptt(last=False),
        _bptt(add=False), _bptt(mean=True), _bptt(turned=True), _bptt(sloped_by="before"),
        _bptt(sloped_by="tanh"), _bptt(sloped_by="unsquared"), returns_in_the_loop, outer_turned,
        shifted_losses,
        lambda h, U, from_losses: from_losses.T @ h[:-1],
        lambda h, U, from_losses: (from_losses * (1 - h[1:] ** 2)).T @ h[1:],
        lambda h, U, from_losses: -_bptt()(h, U, from_losses),
    ],
    "1.2": [
        lambda log_probs: -log_probs.mean(),
        lambda log_probs: torch.exp(log_probs.mean()),
        lambda log_probs: torch.exp(-log_probs.sum()),
        lambda log_probs: 2 ** (-log_probs.mean()),
        lambda log_probs: torch.exp(-log_probs).mean(),
        lambda log_probs: 1 / torch.exp(log_probs).mean(),
        lambda log_probs: torch.exp(-log_probs.sum() / (len(log_probs) + 1)),
        lambda log_probs: torch.exp(-log_probs.sum() / (len(log_probs) - 1)),
        lambda log_probs: 10 ** (-log_probs.mean()),
        lambda log_probs: torch.exp(-log_probs.median()),
        lambda log_probs: torch.exp(-torch.log(log_probs.mean().abs())),
        lambda log_probs: torch.exp(-log_probs.mean()) - 1,
        lambda log_probs: -torch.exp(log_probs.mean()),
        lambda log_probs: torch.exp(-log_probs),
        lambda log_probs: -log_probs.sum(),
        lambda log_probs: torch.exp(-log_probs.mean() / math.log(2)),
        lambda log_probs: torch.exp(log_probs).prod() ** (1 / len(log_probs)),
        lambda log_probs: torch.exp(log_probs.sum()),
    ],
}  # fmt: skip
