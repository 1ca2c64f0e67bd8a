"""The gates of all steps without gradients: one product, in place, fast on a CPU.

Three things cost most in the plain reading (`gates.py`), and each has its answer here:
the matrix product, which oneDNN does about twice as fast as the BLAS behind `torch.addmm` on many
processors, with the sigmoid at its end; `tanh`, which PyTorch does not vectorise, taken as
2 sigmoid(2a) - 1; and T small operations for the memory cell, of which blocks need only ~2 sqrt(T).
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from course_utils.models.gates import previous
from course_utils.models.steps import ElmanStep, GRUStep, LSTMState, LSTMStep, State, Weights

SMALL_STEP = 4096  # numbers in one step of the cell; below, an operation costs more than its work


def elman_gates(x: Tensor, h: Tensor, start: State, weights: Weights) -> ElmanStep:
    """Return h and the pre-activation of all steps."""
    W, b = _joined(weights)
    return ElmanStep(h, _in_chunks(x, h, start.h, W.shape[0], lambda xh: _product(xh, W, b)))


def lstm_gates(x: Tensor, h: Tensor, start: LSTMState, weights: Weights) -> LSTMStep:
    """Return h, the memory cell and the gates of all steps."""
    H = h.shape[-1]
    W, b = _joined(weights)
    for part in (W, b):
        if part is not None:
            part[2 * H : 3 * H].mul_(2)  # tanh(a) = 2 sigmoid(2a) - 1
    gates = _in_chunks(x, h, start.h, 4 * H, lambda xh: _product(xh, W, b, "sigmoid"))
    i, f, g, o = gates.chunk(4, dim=-1)  # views: (T, B, H) each
    g.mul_(2).sub_(1)
    return LSTMStep(h, cells_over_time(f, i * g, start.c), i, f, g, o)


def gru_gates(x: Tensor, h: Tensor, start: State, weights: Weights) -> GRUStep:
    """Return h and the gates of all steps."""
    H, D = h.shape[-1], x.shape[-1]
    W, U, b, b_U = weights
    joined = W.new_zeros(4 * H, D + H)  # rows for r, z, and both halves of n, which r keeps apart
    joined[: 3 * H, :D] = W
    joined[: 2 * H, D:] = U[: 2 * H]
    joined[3 * H :, D:] = U[2 * H :]
    bias = None if b is None else torch.cat([b[: 2 * H] + b_U[: 2 * H], b[2 * H :], b_U[2 * H :]])

    def gates_of(xh: Tensor) -> Tensor:
        a = _product(xh, joined, bias)  # (rows, 4H)
        rz, x_n, h_n = a.split([2 * H, H, H], dim=-1)
        rz.sigmoid_()
        x_n.addcmul_(rz[:, :H], h_n).mul_(2).sigmoid_().mul_(2).sub_(1)  # tanh
        return a[:, : 3 * H]

    gates = _in_chunks(x, h, start.h, 3 * H, gates_of, scratch=4 * H)
    return GRUStep(h, *gates.chunk(3, dim=-1))


def cells_over_time(f: Tensor, written: Tensor, c_0: Tensor) -> Tensor:
    """Return c_t = f_t c_{t-1} + written_t for all t, made inside `written` (T, B, H)."""
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
    f, c = f.unflatten(0, (blocks, -1)), written.unflatten(0, (blocks, -1))  # (K, M, B, H)
    kept = torch.cumprod(f, dim=1)  # how much of a block's inheritance is left at each step
    steps = c.unbind(1)
    for last, c_t, f_t in zip(steps, steps[1:], f.unbind(1)[1:], strict=False):
        c_t.addcmul_(f_t, last)
    inherited = [c_0]
    for end, kept_to_end in zip(steps[-1].unbind(), kept[:, -1].unbind(), strict=True):
        inherited.append(torch.addcmul(end, kept_to_end, inherited[-1]))
    c.addcmul_(kept, torch.stack(inherited[:-1]).unsqueeze(1))
    return inherited[-1]


def _joined(weights: Weights) -> tuple[Tensor, Tensor | None]:
    """Return [W U] and the sum of the biases, so that one product of [x h] gives all."""
    W, U, b, b_U = weights
    return torch.cat([W, U], dim=1), None if b is None else b + b_U


def _in_chunks(x, h, h_0, width: int, gates_of, scratch: int | None = None) -> Tensor:
    """Return gates_of([x_t h_{t-1}]) for all t as (T, B, width), with at most (T, B, H) besides.

    `scratch` is the width of a result of gates_of that is not kept, None where it may be.
    """
    (T, B, D), H = x.shape, h.shape[-1]
    if scratch is None and D <= H:  # [x h] fits into the memory that the cell takes afterwards
        return gates_of(torch.cat([x, previous(h, h_0)], dim=-1).flatten(0, 1)).view(T, B, width)
    gates = x.new_empty(T, B, width)
    rows = max(1, T * H // (D + H + (scratch or width)))  # time steps at once
    for first in range(0, T, rows):
        last = min(first + rows, T)
        h_prev = previous(h[first:last], h[first - 1] if first else h_0)
        xh = torch.cat([x[first:last], h_prev], dim=-1).flatten(0, 1)
        gates[first:last] = gates_of(xh).view(-1, B, width)
    return gates


def _product(xh: Tensor, W: Tensor, b: Tensor | None, activation: str = "none") -> Tensor:
    """Return activation(xh W^T + b), by oneDNN where this PyTorch has it."""
    if _onednn_takes(xh):
        return torch.ops.mkldnn._linear_pointwise(xh, W, b, activation, [], "")
    out = torch.nn.functional.linear(xh, W, b)
    return out.sigmoid_() if activation == "sigmoid" else out


def _onednn_takes(x: Tensor) -> bool:
    return (
        x.device.type == "cpu"
        and x.dtype == torch.float32
        and torch.backends.mkldnn.enabled
        and torch.backends.mkldnn.is_available()
        and hasattr(torch.ops.mkldnn, "_linear_pointwise")
    )
