"""Set an LSTM's weights by hand so that inputs command its gates, and measure what it keeps."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.gates.jacobians import (
    lstm_input_jacobian,
    lstm_slopes,
    lstm_step_jacobian,
    refuse_unusable,
)
from course_utils.models import LSTM, LSTMStep
from course_utils.models.layers.gate_products import previous
from course_utils.settings import SEED

VALUE, WRITE, ERASE, READ = range(4)  # the places of the four inputs
LOUD = 2.0  # the candidate of a bit is tanh(LOUD), near 1


class Sensitivity(NamedTuple):
    """How long dc_t/dx_1 and dh_t/dx_1 are for every step, sequence and unit, (T, B, H) each."""

    c: Tensor
    h: Tensor


@torch.no_grad()
def latch(strength: float = 12.0) -> LSTM:
    """Return a float64 LSTM of one unit whose inputs are value, write, erase and read.

    A command of 1 drives its gate to sigmoid(strength), one of 0 to sigmoid(-strength); erase
    closes the forget gate. No weight is recurrent: the memory is the cell's alone.
    """
    layer = LSTM(4, 1, dtype=torch.float64).requires_grad_(False)
    for parameter in layer.parameters():
        parameter.zero_()
    i, f, g, o = range(4)
    W, _, b, _ = layer.all_weights[0]
    W[i, WRITE], b[i] = 2 * strength, -strength
    W[f, ERASE], b[f] = -2 * strength, strength
    W[o, READ], b[o] = 2 * strength, -strength
    W[g, VALUE] = LOUD
    return layer


def distracted_bit(
    bit: int, steps: int, noise: float = 1.0, sequences: int = 1, seed: int = SEED
) -> Tensor:
    """Return commands that store a bit at the first step, then `steps` steps of random values.

    The result is (1 + steps, sequences, 4); the bit counts as -1 or 1, the output is always read.
    """
    if bit not in (0, 1):
        raise ValueError(f"a bit is 0 or 1, not {bit!r}")
    if steps < 1:
        raise ValueError(f"{steps} steps hold no distractors: pass at least 1")
    generator = torch.Generator().manual_seed(seed)
    x = torch.zeros(1 + steps, sequences, 4, dtype=torch.float64)
    x[..., VALUE] = noise * torch.randn(1 + steps, sequences, generator=generator).double()
    x[0, :, VALUE] = 2 * bit - 1
    x[0, :, WRITE] = x[0, :, ERASE] = 1
    x[..., READ] = 1
    return x


def commands(write: str, keep: str, read: str, value: float = 0.5) -> Tensor:
    """Return inputs from patterns of `o` (open) and `-` (closed), one letter a step: (T, 1, 4).

    `keep` is the forget gate as Graves draws it: open keeps. A shorter pattern ends closed.
    """
    steps = max(map(len, (write, keep, read)))
    if steps < 2:
        raise ValueError("a story needs at least two steps: write 'o-' or longer")
    for name, pattern in (("write", write), ("keep", keep), ("read", read)):
        if set(pattern) - set("o-"):
            raise ValueError(f"{name} is {pattern!r}: use o for open and - for closed, no more")
    x = torch.zeros(steps, 1, 4, dtype=torch.float64)
    x[:, 0, VALUE] = value
    for place, pattern in ((WRITE, write), (ERASE, keep), (READ, read)):
        x[:, 0, place] = torch.tensor([letter == "o" for letter in pattern.ljust(steps, "-")])
    x[:, 0, ERASE] = 1 - x[:, 0, ERASE]
    return x


@torch.no_grad()
def sensitivity_of_gates(
    layer: LSTM, x: Tensor, places: slice = slice(None)
) -> tuple[LSTMStep, Sensitivity]:
    """Return the trace and how much every cell and output still answers to the first input.

    `places` chooses which numbers of that input count.
    """
    refuse_unusable(layer, LSTM)
    (step,) = layer.trace(x)
    slopes = lstm_slopes(step, previous(step.c, torch.zeros_like(step.c[0])))
    first = type(slopes)(*(slope[0] for slope in slopes))
    S_t = lstm_input_jacobian(first, layer.weights().W)[..., places]  # (B, 2H, D): of step 1
    influence = [S_t]
    for jacobian in lstm_step_jacobian(slopes, layer.weights().U)[1:]:
        S_t = jacobian @ S_t
        influence.append(S_t)
    h, c = torch.stack(influence).norm(dim=-1).chunk(2, dim=-1)
    return step, Sensitivity(c, h)
