"""How many seeds learn to count, and how far: every counting recipe with one seed after the other.

A network gets there when it is right about every n up to the one that its card is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from course_utils.models.model_file import read_card
from course_utils.settings import SEED
from course_utils.training.cookbook.counting import CountingConfig
from course_utils.training.race.one_by_one import Lap, Row, load_rows, run_laps, run_to_the_end
from course_utils.training.recipes.recipe import get_recipe
from course_utils.training.recipes.trained import write_card

RESULTS = Path(__file__).parents[2] / "checkpoints" / "counting_race.json"
SEEDS = {  # a GRU's run takes several times as long
    "counting_lstm": 10,
    "counting_three_lstm": 10,
    "counting_gru": 8,
    "counting_three_gru": 3,
}


def run_seed(name: str, seed: int, steps: int | None, device: str | None) -> Row:
    """Train a recipe with another seed; return what its card would say."""
    config = replace(get_recipe(name).config, seed=seed)
    if steps:
        config = replace(config, steps=steps)
    assert isinstance(config, CountingConfig)
    plan, _ = run_to_the_end(name, config, device, f"{name} {seed}")
    return {"largest": config.largest, **plan.measure(plan.model)}


def race_counters(
    path: str | Path = RESULTS,
    seeds: dict[str, int] | None = None,
    steps: int | None = None,
    device: str | None = None,
    tell: Callable[[str], None] = print,
) -> Path:
    """Run all seeds; the file is whole after every run, and what stands in it is not run again."""
    return run_laps(path, steps, _laps(seeds or SEEDS, steps, device), _said, tell)


def _laps(seeds: dict[str, int], steps: int | None, device: str | None) -> Iterator[Lap]:
    for name, count in seeds.items():
        for seed in range(SEED, SEED + count):  # the first one makes the shipped model
            run = partial(run_seed, name, seed, steps, device)
            yield Lap({"recipe": name, "seed": seed}, run)


def _said(row: Row) -> str:
    where = f"right to n = {row['longest']}, last at {row['furthest']}"
    return f"{row['recipe']}, seed {row['seed']}: {where}"


def tell_cards(path: str | Path = RESULTS) -> list[str]:
    """Write on the cards of trained models in the same folder how far every seed came."""
    path = Path(path)
    rows = load_counting_race(path)["rows"]
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


def load_counting_race(path: str | Path = RESULTS) -> dict[str, Any]:
    """Return the shipped results, or those of another file."""
    return load_rows(path)


class Reached(NamedTuple):
    """How far each seed of a recipe counts, after training up to `largest`."""

    largest: int
    longest: list[int]  # right from n = 1 up to here, a seed
    furthest: list[int]  # the last n that is right at all

    def seeds_to(self, n: int) -> int:
        """Return how many seeds are right at least up to n."""
        return sum(reached >= n for reached in self.longest)


def reached_by(name: str, rows: Iterable[dict[str, Any]] | None = None) -> Reached:
    """Look up one recipe's seeds."""
    rows = load_counting_race()["rows"] if rows is None else rows
    own = sorted((row for row in rows if row["recipe"] == name), key=lambda row: row["seed"])
    if not own:
        raise LookupError(f"{name} was not run: course train counting-race runs it")
    return Reached(own[0]["largest"], *([row[k] for row in own] for k in ("longest", "furthest")))
