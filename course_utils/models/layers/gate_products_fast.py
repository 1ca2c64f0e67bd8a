"""The gates of all steps without gradients: one product, in place, fast on a CPU.

Three things cost the most in the plain version (`gate_products.py`), and each is sped up here: the
matrix product, which oneDNN does about twice as fast as the BLAS behind `torch.addmm` on many
processors, with the sigmoid fused into it; `tanh`, five times as slow there as a sigmoid, computed
as 2 sigmoid(2a) - 1; and T small operations for the memory cell, where blocks need ~2 sqrt(T).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from course_utils.models.layers.gate_products import previous
from course_utils.models.layers.products import onednn_product, onednn_takes
from course_utils.models.steps import ElmanStep, GRUStep, LSTMState, LSTMStep, State, Weights

SMALL_STEP = 4096  # numbers in one step of the cell; below this, overhead outweighs arithmetic


def elman_gates(x: Tensor, h: Tensor, start: State, weights: Weights) -> ElmanStep:
    """Return h and the pre-activation of all steps."""
    W, b = _joined(weights)
    H = h.shape[-1]
    return ElmanStep(h, _in_chunks(x, h, start.h, lambda xh: _product(xh, W, b), H, scratch=H))


def lstm_gates(x: Tensor, h: Tensor, start: LSTMState, weights: Weights) -> LSTMStep:
    """Return h, the memory cell and the gates of all steps."""
    gates = _lstm_gates_joined(x, h, start.h, weights)
    i, f, g, o = gates.chunk(4, dim=-1)  # views: (T, B, H) each
    g.mul_(2).sub_(1)
    return LSTMStep(h, cells_over_time(f, i * g, start.c), i, f, g, o)


def _lstm_gates_joined(x: Tensor, h: Tensor, h_0: Tensor, weights: Weights) -> Tensor:
    """Return i f g o of all steps, (T, B, 4H), but with (g + 1) / 2 in place of g."""
    H = h.shape[-1]
    W, b = _joined(weights)
    for part in (W, b):
        if part is not None:
            part[2 * H : 3 * H].mul_(2)

    def gates_of(xh: Tensor) -> Tensor:
        return _product(xh, W, b, "sigmoid")

    # Until the cell is computed, its memory and that of one buffer is free. For a short text the
    # weights take more memory than the gates, and chunks would only cost time.
    beside = x.numel() + h.numel() + W.numel()
    short = 2 * W.numel() > h.numel() >= x.numel()
    if short or beside <= 1.9 * h.numel():
        return _whole(x, h, h_0, gates_of)
    return _in_chunks(x, h, h_0, gates_of, 4 * H, scratch=4 * H)


def gru_gates(x: Tensor, h: Tensor, start: State, weights: Weights) -> GRUStep:
    """Return h and the gates of all steps."""
    H, D = h.shape[-1], x.shape[-1]
    W, U, b, b_U = weights
    joined = W.new_zeros(4 * H, D + H)  # rows for r, z, and both halves of n, which r keeps apart
    joined[: 3 * H, :D] = W
    joined[: 2 * H, D:] = U[: 2 * H]
    joined[3 * H :, D:] = U[2 * H :]
    bias = None
    if b is not None and b_U is not None:
        bias = torch.cat([b[: 2 * H] + b_U[: 2 * H], b[2 * H :], b_U[2 * H :]])

    def gates_of(xh: Tensor) -> Tensor:
        a = _product(xh, joined, bias)  # (rows, 4H)
        rz, x_n, h_n = a.split([2 * H, H, H], dim=-1)
        rz.sigmoid_()
        x_n.addcmul_(rz[:, :H], h_n).mul_(2).sigmoid_().mul_(2).sub_(1)  # tanh
        return a[:, : 3 * H]

    gates = _in_chunks(x, h, start.h, gates_of, 3 * H, scratch=4 * H)
    return GRUStep(h, *gates.chunk(3, dim=-1))


def cells_over_time(f: Tensor, written: Tensor, c_0: Tensor) -> Tensor:
    """Return c_t = f_t c_{t-1} + written_t for all t, computed inside `written` (T, B, H)."""
    T = len(written)
    blocks = math.isqrt(T) if c_0.numel() <= SMALL_STEP else 1
    length = T // blocks
    c = c_0
    if blocks > 1:
        c = _cells_by_blocks(f[: blocks * length], written[: blocks * length], c_0, blocks)
        f, rest = f[blocks * length :], written[blocks * length :]
    else:
        rest = written
    for written_t, f_t in zip(rest.unbind(), f.unbind(), strict=True):
        c = written_t.addcmul_(f_t, c)
    return written


def _cells_by_blocks(f: Tensor, written: Tensor, c_0: Tensor, blocks: int) -> Tensor:
    """Run all blocks side by side from zero, then add what each inherits; return the last cell."""
    c = written.unflatten(0, (blocks, -1))  # (K, M, B, H)
    kept = torch.empty_like(c)  # how much of a block's inheritance is left at each step
    f_each, c_each, kept_each = f.unflatten(0, c.shape[:2]).unbind(1), c.unbind(1), kept.unbind(1)
    kept_each[0].copy_(f_each[0])
    for t in range(1, len(c_each)):
        c_each[t].addcmul_(f_each[t], c_each[t - 1])
        torch.mul(f_each[t], kept_each[t - 1], out=kept_each[t])
    inherited = c_0
    for block, kept_block in zip(c.unbind(), kept.unbind(), strict=True):
        inherited = block.addcmul_(kept_block, inherited)[-1]
    return inherited


def _joined(weights: Weights) -> tuple[Tensor, Tensor | None]:
    """Return [W U] and the sum of the biases, so that one product with [x h] gives all gates."""
    W, U, b, b_U = weights
    return torch.cat([W, U], dim=1), None if b is None or b_U is None else b + b_U


def _whole(x: Tensor, h: Tensor, h_0: Tensor, gates_of: Callable[[Tensor], Tensor]) -> Tensor:
    """Return gates_of([x_t h_{t-1}]) for all t at once, (T, B, width)."""
    xh = torch.cat([x, previous(h, h_0)], dim=-1)  # (T, B, D + H)
    gates = gates_of(xh.flatten(0, 1))
    return gates.view(*xh.shape[:2], gates.shape[-1])


def _in_chunks(
    x: Tensor,
    h: Tensor,
    h_0: Tensor,
    gates_of: Callable[[Tensor], Tensor],
    width: int,
    scratch: int,
) -> Tensor:
    """Do what `_whole` does, a few steps at a time, with at most (T, B, H) numbers of extra memory.

    `scratch` is how many numbers gates_of allocates per row.
    """
    (T, B, D), H = x.shape, h.shape[-1]
    gates = x.new_empty(T, B, width)
    steps = max(1, T * H // (D + 2 * H + scratch))
    for first in range(0, T, steps):
        now = slice(first, first + steps)
        gates[now] = _whole(x[now], h[now], h[first - 1] if first else h_0, gates_of)
    return gates


def _product(xh: Tensor, W: Tensor, b: Tensor | None, activation: str = "none") -> Tensor:
    """Return activation(xh W^T + b), by oneDNN where this PyTorch has it."""
    if onednn_takes(xh):
        return onednn_product(xh, W, b, activation)
    out = torch.nn.functional.linear(xh, W, b)
    return out.sigmoid_() if activation == "sigmoid" else out
