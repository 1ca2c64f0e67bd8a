"""Race a cell that somebody wrote: its step, ten networks of it, the tasks of the fair race."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from course_utils.training.batched.together import Networks
from course_utils.training.batched.unroll import Tape
from course_utils.training.race.memory import SEEDS, MemoryRace, RaceRuns, answers_of, measure

Step = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]  # x_t, h, W, U, b -> h_t
Start = Callable[[Tensor, Tensor, Tensor], object]  # changes W, U, b in place


class OwnCells(Networks):
    """P networks whose step is a function of ordinary tensors, differentiated by autograd."""

    def __init__(self, step: Step, networks: Sequence[Sequence[Tensor]], answers: int):
        super().__init__(networks, answers)
        self.step = step

    def states(self, recurrent: list[Tensor], x: Tensor, tape: Tape | None) -> Tensor:
        """Return the last states, (answers, P, H, B)."""
        W, U, b = recurrent
        T, P, _, B = x.shape
        h, last = x.new_zeros(P, B, U.shape[-1]), []
        for t, x_t in enumerate(x.mT):  # (P, B, D)
            h = self.step(x_t, h, W, U, b[:, None])
            if h.shape != (P, B, U.shape[-1]):
                raise ValueError(f"the step returns {tuple(h.shape)}: return h_t, as large as h")
            if t >= T - self.answers:
                last.append(h.mT)
        return torch.stack(last)


def run_own(
    race: MemoryRace,
    step: Step,
    blocks: int,
    rates: Sequence[float],
    start: Start | None = None,
    seeds: Sequence[int] = SEEDS,
    steps: int | None = None,
    looks: int | None = None,
) -> RaceRuns:
    """Train a cell of one's own for every rate and seed, on the batches that the others had.

    W, U and b have `blocks` times H rows, as PyTorch draws them; `start` may change them.
    """
    networks = [_network(race, blocks, start, seed) for seed in seeds] * len(rates)
    together = OwnCells(step, networks, answers_of(race.task))
    return measure(race, together, rates, seeds, steps or race.steps, looks)


def _network(race: MemoryRace, blocks: int, start: Start | None, seed: int) -> list[Tensor]:
    """Return W, U, b and a readout's weight and bias."""
    torch.manual_seed(seed)
    H, D, rows = race.width, race.task.inputs, blocks * race.width
    shapes = ((rows, D), (rows, H), (rows,))
    W, U, b = (torch.empty(shape, dtype=torch.float32) for shape in shapes)
    for part in (W, U, b):
        nn.init.uniform_(part, -(H**-0.5), H**-0.5)
    if start is not None:
        start(W, U, b)
    readout = nn.Linear(H, race.task.outputs, dtype=torch.float32)
    return [W, U, b, readout.weight, readout.bias]
