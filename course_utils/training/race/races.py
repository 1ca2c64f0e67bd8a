"""Train one of the three networks on one memory task, under rules that are the same for all.

Every network gets the same batches, optimiser, learning rate and clipping; seeds change weights
and batches together. Sizes are made equal twice: once in width, once in parameters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, mse_loss

from course_utils.data.memory_tasks import Adding, Batch, Copy, DelayedRecall, Task
from course_utils.models import GRU, LSTM, Elman
from course_utils.models.layers.recurrent import CELLS
from course_utils.models.starts import set_chrono_biases, set_keep_bias, set_orthogonal
from course_utils.training.loop import fit
from course_utils.training.losses import Loss

# PyTorch's; the keeping gate at bias 1; biases for the lag; an Elman network's own, for any lag
STARTS = ("torch", "one", "chrono", "orthogonal")
EQUALS = ("width", "parameters")
TEST_SEED, TEST_SIZE = 10_000, 512


@dataclass(frozen=True)
class Race:
    """A task and the practice that everybody gets for it."""

    task: Task
    lag: int  # the longest that must be bridged
    steps: int
    lr: float = 5e-3
    width: int = 32
    batch: int = 32
    looks: int = 20  # how often a run is measured on its way


RACES = {
    "recall over 30 steps": Race(DelayedRecall(30), 30, steps=300),
    "recall over 60 steps": Race(DelayedRecall(60), 60, steps=300),
    "recall over 200 steps": Race(DelayedRecall(200), 200, steps=300),
    "adding over 40 steps": Race(Adding(40), 40, steps=1500),
    "copy after 20 steps": Race(Copy(20, items=4), 24, steps=1500),
}


class Entrant(NamedTuple):
    """Who runs: a key of CELLS, how it starts, and in what it equals the others."""

    cell: str
    start: str = "torch"
    equal: str = "width"


class RaceRun(NamedTuple):
    """One network's way: after which steps it was measured, and what it then scored."""

    steps: list[int]
    scores: list[float]
    width: int
    parameters: int
    finished: bool


class Racer(nn.Module):
    """A recurrent layer with a readout at its last `answers` steps."""

    def __init__(self, layer: nn.RNNBase, outputs: int, answers: int):
        super().__init__()
        self.layer, self.answers = layer, answers
        self.readout = nn.Linear(layer.hidden_size, outputs, dtype=torch.float32)

    def forward(self, x: Tensor) -> Tensor:
        """Return (answers, B, outputs)."""
        answers: Tensor = self.readout(self.layer(x)[0][-self.answers :])
        return answers


def make_racer(race: Race, entrant: Entrant, seed: int) -> Racer:
    """Return an untrained network of the size and start that the entrant asks for."""
    torch.manual_seed(seed)
    kind, task = CELLS[entrant.cell], race.task
    layer = kind(task.inputs, width_of(race, entrant), dtype=torch.float32)
    if entrant.start == "chrono":
        set_chrono_biases(layer, race.lag)
    elif entrant.start == "one":
        set_keep_bias(layer, 1.0)
    elif entrant.start == "orthogonal":
        set_orthogonal(layer)
    return Racer(layer, task.outputs, task.items if isinstance(task, Copy) else 1)


def width_of(race: Race, entrant: Entrant) -> int:
    """Return the race's width, or the one that has nearest to its LSTM's parameters."""
    if entrant.equal == "width":
        return race.width
    inputs = race.task.inputs
    wanted = count_parameters(LSTM, inputs, race.width)
    kind = CELLS[entrant.cell]
    widths = range(race.width, 4 * race.width)
    return min(widths, key=lambda H: abs(count_parameters(kind, inputs, H) - wanted))


def count_parameters(kind: type, inputs: int, width: int) -> int:
    """Return how many numbers one layer has: per gate (D + H + 2) H, PyTorch's two biases."""
    gates = {Elman: 1, GRU: 3, LSTM: 4}[kind]
    return gates * width * (inputs + width + 2)


def run_entrant(
    race: Race,
    entrant: Entrant,
    seed: int,
    steps: int | None = None,
    device: str | None = None,
    progress: bool = False,
    looks: int | None = None,
) -> RaceRun:
    """Train one network and measure it on the way, always on the same unseen sequences.

    What counts is the record of its last weights, not the best moment of each.
    """
    task, steps = race.task, steps or race.steps
    racer = make_racer(race, entrant, seed)
    generator = torch.Generator().manual_seed(seed)
    test = task.draw(TEST_SIZE, torch.Generator().manual_seed(TEST_SEED))

    def batches(number: int) -> Batch:
        return task.draw(race.batch, generator)

    history = fit(
        racer,
        batches,
        lambda model, batch: Loss(loss_of(task, model(batch.x), batch.y), batch.y.numel()),
        steps=steps,
        optimizer=torch.optim.Adam(racer.parameters(), lr=race.lr),
        evaluate=lambda model: score_of(task, model(test.x.to(_device(model))), test.y),
        evaluate_every=max(1, steps // (looks or race.looks)),
        device=device,
        progress=progress,
        label=" ".join(entrant),
    )
    at, scores = history.evaluations.T
    count = sum(p.numel() for p in racer.layer.parameters())
    scores = [round(score, 4) for score in scores.tolist()]
    width, finished = racer.layer.hidden_size, history.stopped == "finished"
    return RaceRun([int(a) for a in at], scores, width, count, finished)


def loss_of(task: Task, answers: Tensor, y: Tensor) -> Tensor:
    """Return the mean squared error of a sum, the cross-entropy of symbols."""
    if isinstance(task, Adding):
        return mse_loss(answers[0, :, 0], y)
    return cross_entropy(answers.flatten(0, 1), y.flatten())


def score_of(task: Task, answers: Tensor, y: Tensor) -> float:
    """Return the mean squared error of a sum, the accuracy of symbols."""
    answers = answers.cpu()
    if isinstance(task, Adding):
        return mse_loss(answers[0, :, 0], y).item()
    return (answers.argmax(-1).flatten() == y.flatten()).float().mean().item()


def _device(model: nn.Module) -> torch.device:
    return next(model.parameters()).device
