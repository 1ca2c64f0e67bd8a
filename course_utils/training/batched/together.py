"""Train P networks as one: each with its own start, batches, learning rate and clipping.

What comes out is what P runs of `fit` with Adam would give, one after the other. All parameters of
a network are one row of a matrix, so that clipping and Adam are a few operations for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor, nn

from course_utils.training.batched.cells import CELLS
from course_utils.training.batched.unroll import Tape, unroll
from course_utils.training.schedules import Schedule, constant

LAYER = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
BETAS, EPS = (0.9, 0.999), 1e-8  # torch.optim.Adam's


class Networks(nn.Module):
    """P networks of one kind and size: something recurrent, and a readout at its last steps."""

    def __init__(self, networks: Sequence[Sequence[Tensor]], answers: int):
        super().__init__()
        self.answers, self.shapes = answers, [part.shape for part in networks[0]]
        rows = [torch.cat([part.detach().flatten() for part in own]) for own in networks]
        self.rows = nn.Parameter(torch.stack(rows))  # (P, N)

    def parts(self) -> list[Tensor]:
        """Return every parameter with the P networks in front, as views of the rows."""
        flat = self.rows.split([shape.numel() for shape in self.shapes], dim=1)
        return [part.unflatten(1, shape) for part, shape in zip(flat, self.shapes, strict=True)]

    def forward(self, x: Tensor, tape: Tape | None = None) -> Tensor:
        """Read x (T, P, D, B); return (answers, P, outputs, B)."""
        *recurrent, weight, bias = self.parts()
        return weight @ self.states(recurrent, x, tape) + bias[..., None]

    def states(self, recurrent: list[Tensor], x: Tensor, tape: Tape | None) -> Tensor:
        """Return the last states, (answers, P, H, B)."""
        raise NotImplementedError

    def tape(self, x: Tensor) -> Tape | None:
        """Return room for sequences of x's size, to be used for many updates."""
        return None


class Together(Networks):
    """P of the course's layers, each with its readout."""

    def __init__(self, cell: str, networks: Sequence[tuple[nn.RNNBase, nn.Linear]], answers: int):
        self.cell = CELLS[cell]
        parts = [
            [*(layer.get_parameter(name) for name in LAYER), readout.weight, readout.bias]
            for layer, readout in networks
        ]
        super().__init__(parts, answers)

    def states(self, recurrent: list[Tensor], x: Tensor, tape: Tape | None) -> Tensor:
        """Return the last states, (answers, P, H, B)."""
        packed = self.cell.pack(*recurrent)
        if tape is None:
            tape = Tape.make(self.cell, packed.detach(), x, len(x))
        return unroll(packed, x, self.cell, tape, self.answers)

    def tape(self, x: Tensor) -> Tape:
        """Return room for sequences of x's size, to be used for many updates."""
        with torch.no_grad():
            return Tape.make(self.cell, self.cell.pack(*self.parts()[:4]), x, len(x))


class Adam:
    """Clip every row's gradient to a length, then take torch.optim.Adam's step at its own rate."""

    def __init__(self, rows: nn.Parameter, rates: Tensor, clip: float = 1.0):
        self.rows, self.rates, self.clip, self.count = rows, rates[:, None], clip, 0
        self.mean, self.square = torch.zeros_like(rows), torch.zeros_like(rows)

    @torch.no_grad()
    def step(self, factor: float = 1.0) -> None:
        """Move every row at its rate times `factor`; one whose gradient is no number stays."""
        gradient = self.rows.grad
        assert gradient is not None
        length = gradient.norm(dim=1, keepdim=True)
        gradient = gradient * (self.clip / (length + 1e-6)).clamp(max=1)
        gradient = gradient.where(length.isfinite(), 0)
        self.count += 1
        self.mean.lerp_(gradient, 1 - BETAS[0])
        self.square.mul_(BETAS[1]).addcmul_(gradient, gradient, value=1 - BETAS[1])
        scale = (self.square / (1 - BETAS[1] ** self.count)).sqrt_().add_(EPS)
        change = factor * self.rates / (1 - BETAS[0] ** self.count) * self.mean / scale
        self.rows.sub_(change.where(length.isfinite(), 0))


def train_together(
    together: Networks,
    batches: Callable[[int], tuple[Tensor, Tensor]],
    losses: Callable[[Tensor, Tensor], Tensor],
    rates: Tensor,
    steps: int,
    schedule: Schedule = constant,
) -> Iterator[int]:
    """Take `steps` updates, yielding the number of each when it is done.

    `batches(number)` returns x (T, P, D, B) and y; `losses` one loss for each of the P networks.
    """
    adam, tape = Adam(together.rows, rates), None
    for number in range(steps):
        x, y = batches(number)
        tape = tape or together.tape(x)
        together.rows.grad = None
        losses(together(x, tape), y).sum().backward()
        adam.step(schedule(number))
        yield number + 1
