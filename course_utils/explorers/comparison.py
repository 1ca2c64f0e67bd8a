"""Lecture 04: one GRU in several conventions, and the three networks in a race."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch

from course_utils.analysis.gru.conventions import run_gru_in, swap_update_gate
from course_utils.explorers.machinery.controls import choice, slider, switch
from course_utils.explorers.machinery.explorer import Explorer, Table
from course_utils.models import Weights
from course_utils.plots.gru.conventions import ConventionDrawing
from course_utils.plots.gru.race import NAMES, RaceDrawing
from course_utils.settings import SEED
from course_utils.training.race.races import RACES, Entrant
from course_utils.training.race.results import find_row, load_results

UNITS, INPUTS, STEPS = 8, 5, 40


class Pair(NamedTuple):
    """One unit in PyTorch's convention and in another, (T,) each."""

    steps: np.ndarray
    pytorch: np.ndarray
    chosen: np.ndarray
    gate: np.ndarray
    largest: float  # difference over all units and steps


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


def unit_in_two_conventions(update: str, reset: str, convert: bool, unit: int) -> Pair:
    """Run PyTorch's convention and the chosen one on the same inputs."""
    weights, x = _weights(), _inputs()
    reference = run_gru_in(x, weights)
    theirs = swap_update_gate(weights) if convert and update == "renew" else weights
    chosen = run_gru_in(x, theirs, update, reset)
    largest = (chosen.h - reference.h).abs().max().item()
    shown = (reference.h, chosen.h, chosen.z)
    return Pair(np.arange(1, STEPS + 1), *(v[:, 0, unit - 1].numpy() for v in shown), largest)


def tabulate_pair(pair: Pair) -> Table:
    """Return both states and the gate at every step."""
    headers = ("step", "h in PyTorch", "h in this convention", "update gate")
    return Table(headers, list(zip(*pair[:4], strict=True)))


class RaceScores(NamedTuple):
    """The scores of every seed on its way, {name: (seeds, N)}, and the networks' widths."""

    steps: np.ndarray
    scores: dict[str, np.ndarray]
    widths: dict[str, int]
    chance: float
    unit: str


def explore_race() -> Explorer:
    """Show the shipped runs of the three networks: every task, start and size."""
    return Explorer(
        "Three networks, one task",
        {
            "task": choice("task", list(RACES), "recall over 200 steps"),
            "start": choice(
                "gate biases at the start",
                [("as PyTorch sets them", "torch"), ("1 where it keeps", "one"),
                 ("set for the lag (chrono)", "chrono")],
            ),
            "equal": choice(
                "what is equal", [("the width", "width"), ("the parameters", "parameters")]
            ),
        },
        race_on_file,
        RaceDrawing(),
        tabulate_race,
    )  # fmt: skip


def race_on_file(task: str, start: str, equal: str) -> RaceScores:
    """Return one race of the shipped comparison."""
    results = _results()
    if start == "one" and equal == "parameters":
        raise ValueError("the bias of 1 was run at equal width only: choose the width")
    rows = {name: find_row(results, task, Entrant(name, start, equal)) for name in NAMES}
    race = results["races"][task]
    return RaceScores(
        np.array(race["steps"]),
        {name: np.array(row["scores"]) for name, row in rows.items()},
        {name: row["width"] for name, row in rows.items()},
        race["chance"],
        race["unit"],
    )


def tabulate_race(race: RaceScores) -> Table:
    """Return the median of everybody at every look."""
    medians = [np.median(race.scores[name], axis=0) for name in NAMES]
    rows = list(zip(race.steps, *medians, strict=True))
    return Table(("step", *(f"{label}, median" for label in NAMES.values())), rows)


@lru_cache(maxsize=1)
def _results() -> dict:
    return load_results()


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
