"""Read sums that the input has already made, keeping every state: for taggers, which need all.

What an input gives to the gates is one large product for all steps, outside; only what the state
gives must wait for the step before. Autograd carries the sums' gradient on to what made them.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from course_utils.training.batched.cells import ElmanCell, Moment


class ReadSums(torch.autograd.Function):
    """From matrices of the state (P, R, H) and sums (T, P, R, B) to all states (T, P, H, B)."""

    @staticmethod
    def forward(ctx: Any, U: Tensor, sums: Tensor, cell: ElmanCell) -> Tensor:
        """Start from states and memories of 0."""
        T, P, _, B = sums.shape
        states = sums.new_zeros(T + 1, P, U.shape[2], B)
        memories, shown = torch.zeros_like(states), torch.empty_like(states)
        gates = sums.clone()
        for t in range(T):
            gates[t].baddbmm_(U, states[t])
            cell.forward(_moment(gates, states, memories, shown, t))
        ctx.save_for_backward(U)
        ctx.cell, ctx.met = cell, (gates, states, memories, shown)
        return states[1:].clone()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        """Return the gradients of the matrices and of every step's sums."""
        (U,), (wanted,) = ctx.saved_tensors, gradients
        gates, states, memories, shown = ctx.met
        back, total, sums = U.mT.contiguous(), torch.zeros_like(U), torch.empty_like(gates)
        dh, dc = torch.zeros_like(states[0]), torch.zeros_like(states[0])
        for t in reversed(range(len(gates))):
            now = _moment(gates, states, memories, shown, t)
            step = ctx.cell.backward(now, dh + wanted[t], dc)
            sums[t] = step.sums
            total.baddbmm_(step.sums, states[t].mT)
            dh, dc = torch.baddbmm(step.h_prev, back, step.sums), step.c_prev
        return total, sums, None


def _moment(gates: Tensor, states: Tensor, memories: Tensor, shown: Tensor, t: int) -> Moment:
    return Moment(gates[t], states[t], states[t + 1], memories[t], memories[t + 1], shown[t])


def read(U: Tensor, sums: Tensor, cell: ElmanCell) -> Tensor:
    """Return the states (T, P, H, B) of P networks, whose inputs have given `sums`."""
    apply = ReadSums.apply
    states: Tensor = apply(U, sums, cell)  # type: ignore[no-untyped-call]  # torch's
    return states
