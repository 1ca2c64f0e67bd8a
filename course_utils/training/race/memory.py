"""The fair race: Elman network, GRU and LSTM on memory tasks, each at every start and rate.

A cell is not compared at one learning rate or one start: every point of cell x start x rate is ten
networks, which see the same batches as the ten of any other point, seed for seed. The forty
networks of a cell and a start are trained as one batched model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from course_utils.data.memory_tasks import Adding, Copy, DelayedRecall, MemoryBatch, Task
from course_utils.models.layers.recurrent import CELLS
from course_utils.models.starts import (
    set_chrono_biases,
    set_keep_bias,
    set_long_biases,
    set_orthogonal,
    set_quiet_inputs,
)
from course_utils.results.files import Row
from course_utils.results.memory import MORE, SCALE, STARTS, Entrant
from course_utils.settings import choose_device
from course_utils.training.batched.together import Networks, Together, train_together
from course_utils.training.race.race import Lap, Race, register

SEEDS = tuple(range(10))
RATES = (1e-2, 3e-3, 1e-3, 3e-4)
LOUDER = (3e-2, *RATES)  # where the highest of them is somebody's best
APART = {"elman": (3e-2, 1e-4), "gru": (), "lstm": ()}  # an Elman network's best lie farther apart
TEST_SEED, TEST_SIZE = 10_000, 256
LONG, PATIENT = 200, ("quiet", "chrono", "long")


@dataclass(frozen=True)
class MemoryRace:
    """A task and how long everybody trains on it."""

    task: Task
    lag: int  # the longest that must be bridged
    steps: int
    width: int = 16
    batch: int = 16
    rates: tuple[float, ...] = RATES
    looks: int = 20  # how often a run is measured on its way


RACES = {
    "recall over 60 steps": MemoryRace(DelayedRecall(60), 60, steps=600),
    "recall over 200 steps": MemoryRace(DelayedRecall(200), 200, steps=600),
    "recall over 500 steps": MemoryRace(DelayedRecall(500), 500, steps=600),
    "copy after 20 steps": MemoryRace(Copy(20, items=4), 24, steps=2000, rates=LOUDER),
    "adding over 40 steps": MemoryRace(Adding(40), 40, steps=1500, rates=LOUDER),
}


class RaceRuns(NamedTuple):
    """Networks trained together: the steps at which they were measured, and all scores then."""

    steps: list[int]
    scores: Tensor  # (rates, seeds, looks)


def make_network(race: MemoryRace, entrant: Entrant, seed: int) -> tuple[nn.RNNBase, nn.Linear]:
    """Return an untrained layer with the entrant's start, and its readout."""
    torch.manual_seed(seed)
    layer = CELLS[entrant.cell](race.task.inputs, race.width, dtype=torch.float32)
    if entrant.start == "chrono":
        set_chrono_biases(layer, race.lag)
    elif entrant.start == "long":
        set_long_biases(layer, race.lag)
    elif entrant.start == "one":
        set_keep_bias(layer, 1.0)
    elif entrant.start in ("orthogonal", "quiet"):
        set_orthogonal(layer)
        if entrant.start == "quiet":
            set_quiet_inputs(layer, race.lag)
    return layer, nn.Linear(race.width, race.task.outputs, dtype=torch.float32)


def run_together(
    race: MemoryRace,
    entrant: Entrant,
    rates: Sequence[float],
    seeds: Sequence[int] = SEEDS,
    steps: int | None = None,
    looks: int | None = None,
    device: str | None = None,
) -> RaceRuns:
    """Train a network for every rate and seed, and measure all along the way on unseen sequences.

    A seed decides the start and the batches, so that rates and entrants are compared in pairs.
    """
    networks = [make_network(race, entrant, seed) for seed in seeds] * len(rates)
    together = Together(entrant.cell, networks, answers_of(race.task)).to(choose_device(device))
    return measure(race, together, rates, seeds, steps or race.steps * MORE[entrant.cell], looks)


def answers_of(task: Task) -> int:
    """Return at how many last steps a task asks."""
    return task.items if isinstance(task, Copy) else 1


def measure(
    race: MemoryRace,
    together: Networks,
    rates: Sequence[float],
    seeds: Sequence[int],
    steps: int,
    looks: int | None = None,
) -> RaceRuns:
    """Train networks of every rate, and for each of every seed, and measure them on the way."""
    task, on = race.task, together.rows.device
    generators = [torch.Generator().manual_seed(seed) for seed in seeds]
    test = task.draw(TEST_SIZE, torch.Generator().manual_seed(TEST_SEED))

    def batches(_: int) -> tuple[Tensor, Tensor]:
        drawn = stacked([task.draw(race.batch, generator) for generator in generators])
        return drawn.x.repeat(1, len(rates), 1, 1).to(on), drawn.y.repeat(1, len(rates), 1).to(on)

    every, at, scores = max(1, steps // (looks or race.looks)), [], []
    each = torch.tensor(rates, device=on, dtype=torch.float32).repeat_interleave(len(seeds))
    for done in train_together(together, batches, partial(losses_of, task), each, steps):
        if done % every == 0 or done == steps:
            at.append(done)
            found = scores_of(task, together, test, race.batch)
            scores.append(found.unflatten(0, (len(rates), -1)))
    return RaceRuns(at, torch.stack(scores, dim=-1))


def stacked(batches: Sequence[MemoryBatch]) -> MemoryBatch:
    """Return the batches of several networks as one: x (T, P, D, B), y (answers, P, B)."""
    x = torch.stack([batch.x.mT for batch in batches], dim=1)
    return MemoryBatch(
        x, torch.stack([batch.y.reshape(-1, batch.x.shape[1]) for batch in batches], dim=1)
    )


def losses_of(task: Task, answers: Tensor, y: Tensor) -> Tensor:
    """Return every network's mean squared error of a sum, or cross-entropy of symbols: (P,)."""
    if isinstance(task, Adding):
        return ((answers[:, :, 0] - y) ** 2).mean(dim=(0, 2))
    wrong = cross_entropy(answers.movedim(2, 1), y, reduction="none")  # (answers, P, B)
    return wrong.mean(dim=(0, 2))


@torch.no_grad()
def scores_of(task: Task, together: Networks, test: MemoryBatch, size: int) -> Tensor:
    """Return every network's mean squared error of a sum, or accuracy of symbols: (P,)."""
    P, on = len(together.rows), together.rows.device
    parts, tape = [], None
    for x, y in zip(test.x.split(size, dim=1), test.y.split(size, dim=-1), strict=True):
        one = stacked([MemoryBatch(x, y)])
        x = one.x.expand(-1, P, -1, -1).to(on)
        tape = tape or together.tape(x)
        answers, y = together(x, tape).cpu(), one.y.expand(-1, P, -1)
        if isinstance(task, Adding):
            parts.append(losses_of(task, answers, y))
        else:
            parts.append((answers.argmax(2) == y).float().mean(dim=(0, 2)))
    return torch.stack(parts).mean(0)


def entrants(race: MemoryRace) -> list[Entrant]:
    """Return every entrant: a cell with each of its starts; over long lags, only the patient ones.

    What is at chance over 200 steps at every rate is not tried over 500.
    """
    every = [Entrant(cell, start) for cell in CELLS for start in STARTS[cell]]
    return [one for one in every if race.lag <= LONG or one.start in PATIENT]


def rates_of(race: MemoryRace, cell: str) -> list[float]:
    """Return the learning rates at which a cell runs a race, the highest first."""
    return sorted({*race.rates, *APART[cell]}, reverse=True)


def laps(steps: int | None, device: str | None) -> Iterator[Lap]:
    """Yield every task with every entrant; a lap is all rates and seeds of one."""
    for name, race in RACES.items():
        for entrant in entrants(race):
            key = {"task": name, **entrant._asdict()}
            yield Lap(key, partial(_rows, race, entrant, steps, device))


def _rows(race: MemoryRace, entrant: Entrant, steps: int | None, device: str | None) -> list[Row]:
    rates = rates_of(race, entrant.cell)
    runs = run_together(race, entrant, rates, steps=steps, device=device)
    return [
        {"rate": rate, "steps": runs.steps, "scores": (scores * SCALE).round().int().tolist()}
        for rate, scores in zip(rates, runs.scores, strict=True)
    ]


def said(row: Row) -> str:
    """Say how the seeds of one point ended."""
    ends = ", ".join(f"{seed[-1] / SCALE:.3f}" for seed in row["scores"])
    return f"{row['task']}: {row['cell']} {row['start']}, rate {row['rate']:g}: {ends}"


RACE = register(
    Race(
        "race",
        "Elman, GRU and LSTM on the memory tasks of lectures 03 and 04, ten seeds a point",
        laps,
        said,
    )
)
