"""How many seeds learn to count, and how far: every counting recipe, one seed after another.

A network has learned to count when it is right about every n up to `largest` of its recipe.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from course_utils.models.model_file import read_card
from course_utils.results.counting import reached_by
from course_utils.results.files import Row, load_rows
from course_utils.settings import SEED
from course_utils.training.cookbook.counting import CountingConfig
from course_utils.training.race.race import Lap, Race, register
from course_utils.training.race.whole_run import run_to_the_end
from course_utils.training.recipes.recipe import get_recipe
from course_utils.training.recipes.trained import write_card

SEEDS = {  # a GRU's run takes several times as long
    "counting_lstm": 10,
    "counting_three_lstm": 10,
    "counting_gru": 8,
    "counting_three_gru": 3,
}


def run_seed(name: str, seed: int, steps: int | None, device: str | None) -> list[Row]:
    """Train a recipe with another seed; return what its card would say."""
    config = replace(get_recipe(name).config, seed=seed)
    if steps:
        config = replace(config, steps=steps)
    assert isinstance(config, CountingConfig)
    plan, _ = run_to_the_end(name, config, device, f"{name} {seed}")
    return [{"largest": config.largest, **plan.measure(plan.model)}]


def laps(steps: int | None, device: str | None) -> Iterator[Lap]:
    """Yield every seed of every recipe."""
    for name, count in SEEDS.items():
        for seed in range(SEED, SEED + count):  # the first one makes the shipped model
            run = partial(run_seed, name, seed, steps, device)
            yield Lap({"recipe": name, "seed": seed}, run)


def said(row: Row) -> str:
    """Say how far one seed came."""
    where = f"right to n = {row['longest']}, last at {row['furthest']}"
    return f"{row['recipe']}, seed {row['seed']}: {where}"


def tell_cards(path: str | Path) -> list[str]:
    """Write on the cards of trained models in the same folder how far every seed came."""
    path = Path(path)
    rows = load_rows(path)
    told = []
    for name in dict.fromkeys(row["recipe"] for row in rows):
        file = path.parent / f"{name}.json"
        if file.exists():
            card = read_card(name, path.parent)
            own = [row for row in rows if row["recipe"] == name]
            reached = reached_by(name, own).longest
            card["seeds"] = {"tried": len(reached), "right_up_to": reached}
            write_card(file, card)
            told.append(name)
    return told


RACE = register(
    Race(
        "counting_race",
        "how far the networks of lecture 05 count, one seed after the other",
        laps,
        said,
        after=tell_cards,
    )
)
