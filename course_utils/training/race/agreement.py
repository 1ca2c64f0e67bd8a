"""Where does grammar live? Ten seeds of an LSTM, a GRU and an Elman network, each in numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import torch

from course_utils.analysis.agreement.portrait import portrait_of
from course_utils.models import RecurrentLM
from course_utils.results.files import Row
from course_utils.settings import SEED
from course_utils.training.race.race import Lap, Race, register
from course_utils.training.race.whole_run import run_to_the_end
from course_utils.training.recipes.recipe import get_recipe

CELLS = ("lstm", "gru", "elman")
SEEDS = tuple(range(SEED, SEED + 10))  # the first one makes the shipped model
UNTRAINED = "lstm, its recurrent weights untrained"
DIGITS = 4


def train_seed(cell: str, seed: int, steps: int | None, device: str | None) -> RecurrentLM:
    """Return a network of one seed, trained by its recipe."""
    name = f"agreement_{cell}"
    config = replace(get_recipe(name).config, seed=seed)
    if steps:
        config = replace(config, steps=steps)
    plan, _ = run_to_the_end(name, config, device, f"{name} {seed}")
    assert isinstance(plan.model, RecurrentLM)
    return plan.model


def measured(model: RecurrentLM) -> Row:
    """Return a network's portrait as a row."""
    portrait = portrait_of(model.cpu().eval())
    kinds = {name: [_short(value) for value in kind] for name, kind in portrait.kinds.items()}
    rest = {name: _short(value) for name, value in portrait._asdict().items() if name != "kinds"}
    return {"kinds": kinds, **rest}


def forget(model: RecurrentLM, seed: int) -> RecurrentLM:
    """Return a network whose recurrent weights were drawn anew; its words keep their vectors."""
    torch.manual_seed(seed)
    model.recurrent.reset_parameters()
    return model


def _short(value: object) -> object:
    if isinstance(value, dict):
        return {name: _short(one) for name, one in value.items()}
    return round(value, DIGITS) if isinstance(value, float) else value


def rows_of(model: RecurrentLM, cell: str, seed: int) -> list[Row]:
    """Return what a network does, and for an LSTM what it does without what it has learned."""
    rows = [{"kind": cell, **measured(model)}]
    if cell == "lstm":
        rows.append({"kind": UNTRAINED, **measured(forget(model, seed))})
    return rows


def laps(steps: int | None, device: str | None) -> Iterator[Lap]:
    """Yield every seed of every cell."""
    for seed in SEEDS:
        for cell in CELLS:
            run = partial(_lap, cell, seed, steps, device)
            yield Lap({"cell": cell, "seed": seed}, run)


def _lap(cell: str, seed: int, steps: int | None, device: str | None) -> list[Row]:
    return rows_of(train_seed(cell, seed, steps, device), cell, seed)


def said(row: Row) -> str:
    """Say what one network does."""
    hard = {name: values[1] for name, values in row["kinds"].items()}
    where = f"five noun-PPs {hard['five noun-PPs']:.2f}, one {hard['noun-PP']:.2f}"
    return (
        f"{row['kind']}, seed {row['seed']}: {where}; unit {row['unit']} costs {row['wrong']:.2f}"
    )


RACE = register(
    Race(
        "agreement_race",
        "ten LSTMs, GRUs and Elman networks on number agreement: lecture 06",
        laps,
        said,
    )
)
