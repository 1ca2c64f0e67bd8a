"""Lectures 03 and 04: the latch, preserved gradients, and the highway through the gates."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch

from course_utils.analysis.gates import (
    commands,
    direct_path,
    distracted_bit,
    latch,
    sensitivity_of_gates,
    state_gradient_norms,
)
from course_utils.explorers.machinery.controls import choice, slider, text
from course_utils.explorers.machinery.explorer import Explorer, Table
from course_utils.models import GRU, LSTM, Elman
from course_utils.models.gate_biases import set_keep_bias
from course_utils.plots.gates.highway import MOST_LAGS, HighwayDrawing
from course_utils.plots.gates.latch import MOST_STEPS as MOST_LATCHED
from course_utils.plots.gates.latch import LatchDrawing
from course_utils.plots.gates.preservation import MOST_STEPS, PreservationDrawing
from course_utils.settings import SEED

UNITS, INPUTS, SEQUENCES = 32, 16, 2
RUNS = 8  # of the latch, each with distractors of its own


class LatchStory(NamedTuple):
    """The cells of a latch over time, and the gates while it holds."""

    steps: np.ndarray  # (T,)
    cells: np.ndarray  # (T, B)
    kept: np.ndarray  # (T,): the bit times the product of the forget gates
    right: int
    forget: float
    write: float


def explore_latch() -> Explorer:
    """Let the reader close the gates of a latch as tightly as the distractors demand."""
    return Explorer(
        "How tightly must the gates close to keep one bit?",
        {
            "bit": choice("the bit to keep", [0, 1], 1),
            "strength": slider("weights of the gates", 1.0, 20.0, 6.0, 0.5),
            "noise": slider("size of the distractors", 0.0, 3.0, 1.0, 0.1),
            "steps": slider("steps to keep it", 100, MOST_LATCHED, MOST_LATCHED, 100),
        },
        story_of_a_latch,
        LatchDrawing(),
        tabulate_latch,
    )


def story_of_a_latch(bit: int, strength: float, noise: float, steps: int) -> LatchStory:
    """Run one latch on several streams of distractors."""
    (step,) = latch(strength).trace(distracted_bit(bit, steps, noise, RUNS))
    cells = step.c[..., 0].numpy()
    kept = cells[0, 0] * direct_path(step.f[1:, 0, 0]).numpy()  # the bit decays from step 1 on
    right = int((np.sign(cells[-1]) == 2 * bit - 1).sum())
    held = step.f[-1, 0, 0].item(), step.i[-1, 0, 0].item()
    return LatchStory(np.arange(steps + 1), cells, kept, right, *held)


def tabulate_latch(story: LatchStory) -> Table:
    """Return the cells at some twenty steps."""
    some = slice(None, None, max(1, len(story.steps) // 20))
    columns = (story.steps, story.kept, *story.cells.T[:3])
    headers = ("step", "kept by f alone", "cell 1", "cell 2", "cell 3")
    return Table(headers, list(zip(*(column[some] for column in columns), strict=True)))


class Preservation(NamedTuple):
    """Gates (T,) and how much the memory and the output feel the first input, 1 for all of it."""

    i: np.ndarray
    f: np.ndarray
    o: np.ndarray
    memory: np.ndarray
    output: np.ndarray


def explore_graves() -> Explorer:
    """Let the reader open and close gates, and see how long the first input is felt."""
    return Explorer(
        "Gates that preserve a gradient: o is open, - is closed",
        {
            "write": text("input gate", "o--------"),
            "keep": text("forget gate", "-ooooo-oo", "open keeps"),
            "read": text("output gate", "---o-oooo"),
            "strength": slider("weights of the gates", 1.0, 20.0, 12.0, 0.5),
        },
        preservation_by_gates,
        PreservationDrawing(),
        tabulate_preservation,
    )


def preservation_by_gates(write: str, keep: str, read: str, strength: float) -> Preservation:
    """Run a latch on commands and differentiate it with respect to its first value."""
    if max(map(len, (write, keep, read))) > MOST_STEPS:
        raise ValueError(f"the picture has room for {MOST_STEPS} steps: write fewer letters")
    value_alone = slice(0, 1)
    step, felt = sensitivity_of_gates(latch(strength), commands(write, keep, read), value_alone)
    slope = latch(strength).weights().W[2, 0] * (1 - step.g[0] ** 2)  # of g to the first value
    shades = (part / slope for part in felt)
    return Preservation(*(v.flatten().numpy() for v in (step.i, step.f, step.o, *shades)))


def tabulate_preservation(picture: Preservation) -> Table:
    """Return every gate and both shades."""
    headers = ("step", "input gate", "forget gate", "output gate", "memory feels", "output feels")
    return Table(headers, [(t, *row) for t, row in enumerate(zip(*picture, strict=True), 1)])


class Highway(NamedTuple):
    """Gradient norms at every lag, (T,) each, and the LSTM's direct path."""

    lags: np.ndarray
    elman: np.ndarray
    gru: np.ndarray
    lstm: np.ndarray
    f: np.ndarray


def explore_highway() -> Explorer:
    """Let the reader open the gates that keep, and see how far back the gradient reaches."""
    return Explorer(
        "What does the bias of the keeping gate do to the gradient?",
        {
            "keep_bias": slider("bias of f, and of z", -2.0, 6.0, 0.0, 0.25),
            "gain": slider("size of the inputs", 0.0, 3.0, 1.0, 0.1),
            "length": slider("steps", 20, MOST_LAGS, 100, 20),
        },
        highway_of_random_networks,
        HighwayDrawing(),
        lambda h: Table(
            ("lag", "Elman", "GRU", "LSTM", "product of f"), list(zip(*h, strict=True))
        ),
    )


def highway_of_random_networks(keep_bias: float, gain: float, length: int) -> Highway:
    """Measure the three networks as PyTorch initialises them, but for the one bias."""
    x = gain * _inputs(length)
    networks = [_network(kind, round(keep_bias, 4)) for kind in (Elman, GRU, LSTM)]
    norms = [state_gradient_norms(network, x).mean(dim=1).numpy() for network in networks]
    (step,) = networks[-1].trace(x)
    path = direct_path(step.f)[:length].mean(dim=(1, 2)).numpy()
    return Highway(np.arange(length), *norms, path)


@lru_cache(maxsize=128)
def _network(kind: type, keep_bias: float) -> torch.nn.RNNBase:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        layer = kind(INPUTS, UNITS, dtype=torch.float64).requires_grad_(False)
    return layer if kind is Elman else set_keep_bias(layer, keep_bias)


@lru_cache(maxsize=16)
def _inputs(length: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(SEED)
    return torch.randn(length, SEQUENCES, INPUTS, generator=generator, dtype=torch.float64)
