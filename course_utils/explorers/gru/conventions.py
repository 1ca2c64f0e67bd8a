"""One set of weights in several conventions of the GRU."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import torch

from course_utils.analysis.gru.conventions import run_gru_in, swap_update_gate
from course_utils.explorers.machinery.controls import choice, slider, switch
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.models import Weights
from course_utils.plots.gru.conventions import ConventionDrawing, TwoConventions
from course_utils.settings import SEED

UNITS, INPUTS, STEPS = 8, 5, 40


def explore_conventions() -> Explorer:
    """Let the reader put one set of weights into another convention, converted or not."""
    return Explorer(
        "The same weights in another convention",
        {
            "update": choice(
                "the update gate",
                [("z keeps the old state (PyTorch)", "keep"), ("u renews it (sources)", "renew")],
                "renew",
            ),
            "reset": choice(
                "the reset gate acts",
                [("after the product (PyTorch)", "after"), ("before it (sources)", "before")],
                "after",
            ),
            "convert": switch("convert the weights"),
            "unit": slider("unit", 1, UNITS, 1, 1),
        },
        unit_in_two_conventions,
        ConventionDrawing(),
        tabulate_pair,
    )


def unit_in_two_conventions(update: str, reset: str, convert: bool, unit: int) -> TwoConventions:
    """Run PyTorch's convention and the chosen one on the same inputs."""
    weights, x = _weights(), _inputs()
    reference = run_gru_in(x, weights)
    theirs = swap_update_gate(weights) if convert and update == "renew" else weights
    chosen = run_gru_in(x, theirs, update, reset)
    largest = (chosen.h - reference.h).abs().max().item()
    theirs_h, ours_h, gate = (v[:, 0, unit - 1].numpy() for v in (reference.h, chosen.h, chosen.z))
    return TwoConventions(np.arange(1, STEPS + 1), theirs_h, ours_h, gate, largest)


def tabulate_pair(pair: TwoConventions) -> Table:
    """Return both states and the gate at every step."""
    headers = ("step", "h in PyTorch", "h in this convention", "update gate")
    return Table(headers, list(zip(*pair[:4], strict=True)))


@lru_cache(maxsize=1)
def _weights() -> Weights:
    generator = torch.Generator().manual_seed(SEED)
    sizes = ((3 * UNITS, INPUTS), (3 * UNITS, UNITS), (3 * UNITS,), (3 * UNITS,))
    parts = (torch.randn(*size, generator=generator, dtype=torch.float64) for size in sizes)
    return Weights(*(0.7 * part for part in parts))


@lru_cache(maxsize=1)
def _inputs() -> torch.Tensor:
    generator = torch.Generator().manual_seed(SEED + 1)
    return torch.randn(STEPS, 1, INPUTS, generator=generator, dtype=torch.float64)
