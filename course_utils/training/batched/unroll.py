"""Unroll P networks over time, with a way back that is a loop as well."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from course_utils.training.batched.cells import ElmanCell, Moment


class Tape(NamedTuple):
    """Buffers for what the steps read and write, used again and again: fresh memory is slow.

    A tape of T places keeps all that the way back needs; with a single place it only reads forward.
    """

    met: Tensor  # (places + 1, P, H + D + 1, B): the state before a step, its input, and a 1
    gates: Tensor  # (places, P, R, B)
    memories: Tensor  # (places + 1, P, H, B)
    shown: Tensor  # (places, P, H, B)

    @classmethod
    def make(cls, cell: ElmanCell, packed: Tensor, x: Tensor, places: int) -> Tape:
        """Return a tape for networks packed as (P, R, H + D + 1) that read x (T, P, D, B)."""
        (P, R, columns), B = packed.shape, x.shape[-1]
        H = R // cell.blocks
        memory = (places, P, H, B) if cell.remembers else (0, P, H, B)
        return cls(
            packed.new_ones(places + 1, P, columns, B),
            packed.new_empty(places, P, R, B),
            packed.new_zeros(places + 1, P, H, B) if cell.remembers else packed.new_empty(0),
            packed.new_empty(memory),
        )

    def rewind(self, H: int) -> None:
        """Start from states and memories of 0."""
        self.met[0, :, :H] = 0
        self.memories[:1] = 0

    def moment(self, place: int, H: int) -> Moment:
        """Return what the step at one place works on."""
        before, after = self.met[place, :, :H], self.met[place + 1, :, :H]
        if not len(self.memories):
            return Moment(self.gates[place], before, after, before, before, before)
        c_prev, c = self.memories[place], self.memories[place + 1]
        return Moment(self.gates[place], before, after, c_prev, c, self.shown[place])


class Unroll(torch.autograd.Function):
    """From packed matrices and x (T, P, D, B) to the states of the last steps, (last, P, H, B)."""

    @staticmethod
    def forward(
        ctx: Any, packed: Tensor, x: Tensor, cell: ElmanCell, tape: Tape, last: int
    ) -> Tensor:
        """Write the tape, from a start at 0."""
        T, H = len(x), packed.shape[1] // cell.blocks
        tape.rewind(H)
        tape.met[:T, :, H:-1] = x
        for t in range(T):
            torch.bmm(packed, tape.met[t], out=tape.gates[t])
            cell.forward(tape.moment(t, H))
        ctx.save_for_backward(packed)
        ctx.cell, ctx.tape, ctx.T = cell, tape, T
        return tape.met[T + 1 - last : T + 1, :, :H].clone()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        """Return the packed matrices' gradient: the sum of what every step gives."""
        (packed,), (answers,), tape = ctx.saved_tensors, gradients, ctx.tape
        last, _, H, _ = answers.shape
        back = packed[:, :, :H].mT.contiguous()
        total, dh = torch.zeros_like(packed), torch.zeros_like(answers[0])
        dc = torch.zeros_like(dh)
        for t in reversed(range(ctx.T)):
            if t >= ctx.T - last:
                dh = dh + answers[t - ctx.T]
            step = ctx.cell.backward(tape.moment(t, H), dh, dc)
            total.baddbmm_(step.sums, tape.met[t].mT)
            dh, dc = torch.baddbmm(step.h_prev, back, step.sums), step.c_prev
        return total, None, None, None, None


def unroll(packed: Tensor, x: Tensor, cell: ElmanCell, tape: Tape, last: int) -> Tensor:
    """Read x (T, P, D, B) with P packed networks; return their last states, (last, P, H, B)."""
    read = Unroll.apply
    states: Tensor = read(packed, x, cell, tape, last)  # type: ignore[no-untyped-call]  # torch's
    return states
