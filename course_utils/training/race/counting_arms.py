"""Race the gate of 1997 against gates that learn: LSTMs and a GRU on a^n b^n, ten seeds an arm.

An arm is a cell with a start of its keeping gate. Each runs at three learning rates, all on the
same texts, seed for seed; the networks of an arm are trained as one model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, one_hot

from course_utils.data.counting import POWERS_OF_TWO, CountingBatch, members
from course_utils.models import RecurrentLM
from course_utils.models.language.recognition import longest_run, right_after_powers
from course_utils.results.files import Row
from course_utils.settings import choose_device
from course_utils.training.batched.cells import CELLS
from course_utils.training.batched.together import LAYER, Networks, train_together
from course_utils.training.batched.unroll import Tape, unroll
from course_utils.training.cookbook.counting import drawn_counts, new_counter
from course_utils.training.race.race import Lap, Race, register
from course_utils.training.schedules import warmup_cosine

SEEDS = tuple(range(10))
RATES, STEPS = (8e-2, 4e-2, 2e-2), 6000
LARGEST, BATCH, GROWING = 30, 16, 0.5  # of the lecture's own training
ASKED_TO = 500


class Arm(NamedTuple):
    """A cell, and the bias with which its keeping gate starts; None leaves PyTorch's start."""

    cell: str
    keep_bias: float | None


ARMS = {
    "forget gate fixed at 1": Arm("lstm", 20.0),  # in 32 bits sigmoid(20) is 1, and its slope 0
    "bias 1": Arm("lstm", 1.0),
    "PyTorch's start": Arm("lstm", None),
    "GRU, bias 3": Arm("gru", 3.0),
    "GRU, PyTorch's start": Arm("gru", None),
}


class Counters(Networks):
    """P counters, each with its own embedding, that answer after every symbol."""

    def __init__(self, cell: str, models: Sequence[RecurrentLM]):
        self.cell = CELLS[cell]
        parts = [
            [
                model.embedding.weight,
                *(model.recurrent.get_parameter(name) for name in LAYER),
                model.output.weight,
                model.output.bias,
            ]
            for model in models
        ]
        super().__init__(parts, answers=0)

    def states(self, recurrent: list[Tensor], x: Tensor, tape: Tape | None) -> Tensor:
        """Return the states after every symbol; an embedding is a product with one-hot inputs."""
        E, W, *others = recurrent  # (P, V, D), (P, R, D)
        packed = self.cell.pack(W @ E.mT, *others)
        tape = self.tape(x) if tape is None else tape
        return unroll(packed, x, self.cell, tape, len(x))

    def tape(self, x: Tensor) -> Tape:
        """Return room for the longest texts, whatever the first batch has."""
        E, W, *others = (part.detach() for part in self.parts()[:5])
        return Tape.make(self.cell, self.cell.pack(W @ E.mT, *others), x, 2 * LARGEST + 1)

    def model(self, place: int) -> RecurrentLM:
        """Return one of the networks as a model of the course."""
        kind = {cell: name for name, cell in CELLS.items()}[self.cell]
        model = new_counter("ab", kind, None)
        parts = [part[place].detach().cpu() for part in self.parts()]
        with torch.no_grad():
            model.embedding.weight.copy_(parts[0])
            for name, part in zip(LAYER, parts[1:5], strict=True):
                model.recurrent.get_parameter(name).copy_(part)
            model.output.weight.copy_(parts[5])
            model.output.bias.copy_(parts[6])
        return model.eval()


def run_arm(
    arm: Arm,
    rates: Sequence[float],
    steps: int,
    seeds: Sequence[int] = SEEDS,
    device: str | None = None,
) -> list[list[RecurrentLM]]:
    """Train a network for every rate and seed; return them, (rates, seeds)."""
    on = choose_device(device)
    made = Counters(arm.cell, [started(arm, seed) for seed in seeds] * len(rates)).to(on)
    draws = [drawn_counts(LARGEST, BATCH, seed, round(GROWING * steps)) for seed in seeds]
    every_n = members(POWERS_OF_TWO, range(1, LARGEST + 1))

    def batches(number: int) -> tuple[Tensor, Tensor]:
        counts = torch.stack([draw(number) for draw in draws])  # (seeds, B)
        read = batch_of(every_n, counts)
        x = read.x.repeat(1, len(rates), 1, 1).to(on)
        return x, read.asked.repeat(1, len(rates), 1, 1).to(on)

    each = torch.tensor(rates, device=on).repeat_interleave(len(seeds))
    for _ in train_together(made, batches, losses, each, steps, warmup_cosine(steps, floor=0.1)):
        pass
    first = range(0, len(rates) * len(seeds), len(seeds))
    return [[made.model(start + k) for k in range(len(seeds))] for start in first]


def started(arm: Arm, seed: int) -> RecurrentLM:
    """Return an arm's untrained network: the lecture's, with that seed."""
    torch.manual_seed(seed)
    return new_counter("ab", *arm)


class OneHot(NamedTuple):
    """What P networks read, and what may follow: (T, P, V, B); below 0 where a text has ended."""

    x: Tensor
    asked: Tensor


def batch_of(every_n: CountingBatch, counts: Tensor) -> OneHot:
    """Return the texts of these counts (P, B), chosen from one text for every n."""
    T, places = 2 * int(counts.max()) + 1, counts - 1
    tokens, allowed, real = (part[:T, places] for part in every_n)
    V = allowed.shape[-1]
    asked = torch.where(real[..., None], allowed.float(), -1.0)
    return OneHot(one_hot(tokens, V).float().mT.contiguous(), asked.mT.contiguous())


def losses(answers: Tensor, asked: Tensor) -> Tensor:
    """Return every network's mean over texts of the sum over steps and symbols: (P,)."""
    each = binary_cross_entropy_with_logits(answers, asked.clamp(min=0), reduction="none")
    return (each * (asked >= 0)).sum(dim=(0, 2)).mean(-1)


def measured(model: RecurrentLM) -> Row:
    """Return up to which n a network is right, the last n at which it is, and how often to 30."""
    right = right_after_powers(model, 2, ASKED_TO)
    return {
        "longest": longest_run(right),
        "furthest": int(right.nonzero().max()) + 1 if right.any() else 0,
        "right_in_training": right[:LARGEST].double().mean().item(),
    }


def laps(steps: int | None, device: str | None) -> Iterator[Lap]:
    """Yield every arm; a lap is all rates and seeds."""
    for name, arm in ARMS.items():
        yield Lap({"arm": name}, partial(_rows, arm, steps or STEPS, device))


def _rows(arm: Arm, steps: int, device: str | None) -> list[Row]:
    rows = []
    for rate, models in zip(RATES, run_arm(arm, RATES, steps, device=device), strict=True):
        found = [measured(model) for model in models]
        reached = {name: [one[name] for one in found] for name in found[0]}
        rows.append({"rate": rate, "steps": steps, **reached})
    return rows


def said(row: Row) -> str:
    """Say how far the seeds of one point came."""
    return f"{row['arm']}, rate {row['rate']:g}: right to {row['longest']}"


RACE = register(
    Race(
        "counting_arms",
        "the gate of 1997 against gates that learn, on a^n b^n: lecture 05",
        laps,
        said,
    )
)
