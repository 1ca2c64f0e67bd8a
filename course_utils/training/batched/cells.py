"""The steps of many networks at once, forwards and backwards.

P networks of one kind stand side by side. A state is (P, H, B); one product with a packed matrix
(P, R, H + D + 1), whose columns meet the state, the input and a 1, gives the sums of all gates of
all of them. The way back is written out, so that no graph of a thousand small nodes is built.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class Moment(NamedTuple):
    """What one step met and made: its gates (P, R, B), both states, both memories (P, H, B)."""

    gates: Tensor
    h_prev: Tensor
    h: Tensor
    c_prev: Tensor
    c: Tensor
    shown: Tensor  # tanh(c)


class Back(NamedTuple):
    """What one step hands back: to its sums, and past them to the state and to the memory."""

    sums: Tensor
    h_prev: Tensor
    c_prev: Tensor


class ElmanCell:
    """h = tanh(W x + U h + b)."""

    blocks = 1  # R / H
    remembers = False  # whether there is a memory beside the state

    def pack(self, W: Tensor, U: Tensor, b: Tensor, b_U: Tensor) -> Tensor:
        """Return the matrix whose columns meet the state, the input and a 1."""
        return torch.cat([U, W, (b + b_U)[..., None]], dim=-1)

    def forward(self, now: Moment) -> None:
        """Turn the sums into gates, and write the new state, in place."""
        _tanh(now.gates, now.h)

    def backward(self, now: Moment, dh: Tensor, dc: Tensor) -> Back:
        """Return the gradients of the step's sums and of what it carried."""
        return Back(_through_tanh(dh, now.h), torch.zeros_like(dh), dc)


class LSTMCell(ElmanCell):
    """Rows i, f, g, o, as in PyTorch."""

    blocks, remembers = 4, True

    def forward(self, now: Moment) -> None:
        """Turn the sums into gates, and write the new state and memory, in place."""
        i, f, g, o = now.gates.chunk(4, dim=1)
        now.gates[:, : 2 * i.shape[1]].sigmoid_()
        _tanh(g, g)
        o.sigmoid_()
        torch.addcmul(i * g, f, now.c_prev, out=now.c)
        torch.mul(o, _tanh(now.c, now.shown), out=now.h)

    def backward(self, now: Moment, dh: Tensor, dc: Tensor) -> Back:
        """Return the gradients of the step's sums and of what it carried."""
        i, f, g, o = now.gates.chunk(4, dim=1)
        dc = dc + _through_tanh(dh * o, now.shown)
        sums = _slopes(now.gates)
        di, df, dg, do = sums.chunk(4, dim=1)
        di *= dc * g
        df *= dc * now.c_prev
        dg.copy_(_through_tanh(dc * i, g))
        do *= dh * now.shown
        return Back(sums, torch.zeros_like(dh), dc * f)


class GRUCell(ElmanCell):
    """Rows r, z, what the input and what the state give to n; PyTorch's, with r behind U."""

    blocks = 4

    def pack(self, W: Tensor, U: Tensor, b: Tensor, b_U: Tensor) -> Tensor:
        """Return the matrix with the candidate's two halves in rows of their own."""
        W_r, W_z, W_n = W.chunk(3, dim=1)
        U_r, U_z, U_n = U.chunk(3, dim=1)
        b_r, b_z, _ = (b + b_U).chunk(3, dim=1)
        b_n, b_Un = b.chunk(3, dim=1)[2], b_U.chunk(3, dim=1)[2]
        U = torch.cat([U_r, U_z, torch.zeros_like(U_n), U_n], dim=1)
        W = torch.cat([W_r, W_z, W_n, torch.zeros_like(W_n)], dim=1)
        return torch.cat([U, W, torch.cat([b_r, b_z, b_n, b_Un], dim=1)[..., None]], dim=-1)

    def forward(self, now: Moment) -> None:
        """Turn the sums into gates, and write the new state, in place."""
        r, z, n, of_state = now.gates.chunk(4, dim=1)
        now.gates[:, : 2 * r.shape[1]].sigmoid_()
        _tanh(n.addcmul_(r, of_state), n)
        torch.addcmul(n, z, now.h_prev - n, out=now.h)

    def backward(self, now: Moment, dh: Tensor, dc: Tensor) -> Back:
        """Return the gradients of the step's sums and of what it carried."""
        r, z, n, of_state = now.gates.chunk(4, dim=1)
        sums = _slopes(now.gates)
        dr, dz, dn, dU = sums.chunk(4, dim=1)
        direct = dh * z
        dn.copy_(_through_tanh(dh - direct, n))
        dr *= dn * of_state
        dz *= dh * (now.h_prev - n)
        torch.mul(dn, r, out=dU)
        return Back(sums, direct, dc)


CELLS = {"elman": ElmanCell(), "lstm": LSTMCell(), "gru": GRUCell()}


def _tanh(x: Tensor, out: Tensor) -> Tensor:
    """Write tanh x as 2 sigmoid(2 x) - 1: on a CPU that takes torch a third of the time."""
    return torch.mul(x, 2, out=out).sigmoid_().mul_(2).sub_(1)


def _slopes(gates: Tensor) -> Tensor:
    """Return the slopes of sigmoids."""
    return torch.addcmul(gates, gates, gates, value=-1)


def _through_tanh(gradient: Tensor, value: Tensor) -> Tensor:
    return torch.addcmul(gradient, gradient * value, value, value=-1)
