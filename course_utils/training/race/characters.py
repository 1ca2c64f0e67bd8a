"""Race counting against recurrence on source code: who needs how much text, and how long a memory?

Both get the same characters and the same modules to learn from, and both are asked for every
character of the same stretch of held-out modules, read as one text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from torch import Tensor

from course_utils.models import NGramLM, RecurrentLM
from course_utils.settings import choose_device, seed_everything
from course_utils.shipped import load_recurrent_lm
from course_utils.training.cookbook.characters import (
    RECIPE,
    CharacterConfig,
    source_texts,
    source_vocabulary,
)
from course_utils.training.cookbook.streams import text_plan
from course_utils.training.race.one_by_one import begun, load_rows, write_rows
from course_utils.training.recipes.run_recipe import run_plan

RESULTS = Path(__file__).parents[2] / "checkpoints" / "characters_race.json"
SHARES = (64, 16, 4, 1)  # every Nth module; the last is all of them
TRAINED = (64, 16, 1)  # of these, where the LSTM runs too
ORDERS = (1, 2, 3, 4, 5, 6, 8, 10, 12)
ASKED = 100_000  # characters, from the start of the part to report on
SHIPPED = "source_lstm"  # what the race takes for the whole text


def share_config(share: int, steps: int | None = None) -> CharacterConfig:
    """Return the recipe for a share of the text: fewer steps, more dropout, the best by `valid`."""
    steps = steps or round(RECIPE.steps / share**0.75)
    looks = max(1, steps // 10)
    return replace(RECIPE, steps=steps, evaluate_every=looks, dropout=0.1 if share == 1 else 0.3)


def bits(model: NGramLM | RecurrentLM, text: Tensor) -> float:
    """Return the mean of -log2 p over the characters that are asked for."""
    return -model.log_probs(text[:ASKED]).double().mean().item() / math.log(2)


def count_characters(share: int, orders: Sequence[int] = ORDERS) -> dict[str, float]:
    """Return the bits a character of every order of Kneser-Ney, to report and to choose by."""
    words, texts = source_vocabulary(RECIPE.min_count), source_texts(RECIPE.min_count, share)
    found = {}
    for order in orders:
        counted = NGramLM(words, order).fit(texts[0])
        found[f"{order}-gram"] = bits(counted, texts[2])
        found[f"{order}-gram, valid"] = bits(counted, texts[1])
    return found


def train_characters(share: int, steps: int | None, device: str | None) -> dict[str, Any]:
    """Train the LSTM on a share of the text; the whole text's is the one that is shipped."""
    words, texts = source_vocabulary(RECIPE.min_count), source_texts(RECIPE.min_count, share)
    if share == 1:
        return {"bits": bits(load_recurrent_lm(SHIPPED), texts[2])}
    config = share_config(share, steps)
    seed_everything(config.seed)
    plan = replace(text_plan(config, words, texts), bf16=config.bf16)
    history = run_plan(plan, config, choose_device(device), label=f"lstm 1/{share}")
    if history.stopped != "finished":
        raise KeyboardInterrupt("a run was stopped, so the race is not whole")
    assert isinstance(plan.model, RecurrentLM)
    return {
        "bits": bits(plan.model.eval(), texts[2]),
        "steps": len(history),
        "seconds": round(history.elapsed),
    }


def race_characters(
    path: str | Path = RESULTS,
    shares: Iterable[int] = SHARES,
    steps: int | None = None,
    device: str | None = None,
    tell: Callable[[str], None] = print,
) -> Path:
    """Run the race from the least text to the most; the file is whole after every network.

    What stands in the file already is not run again.
    """
    path = Path(path)
    results = begun(path)
    done = {(row["model"], row["share"]) for row in results["rows"]}
    for share in shares:
        about = {"share": share, "characters": len(source_texts(RECIPE.min_count, share)[0])}
        if ("1-gram", share) not in done:
            scores = count_characters(share)
            rows = [
                {"model": f"{n}-gram", **about, "bits": scores[f"{n}-gram"],
                 "valid": round(scores[f"{n}-gram, valid"], 4)}
                for n in ORDERS if f"{n}-gram" in scores
            ]  # fmt: skip
            _keep(results, rows, path, tell)
        if share in TRAINED and ("lstm", share) not in done:
            row = {"model": "lstm", **about, **train_characters(share, steps, device)}
            _keep(results, [row], path, tell)
    return path


def _keep(
    results: dict[str, Any], rows: list[dict[str, Any]], path: Path, tell: Callable[[str], None]
) -> None:
    for row in rows:
        row["bits"] = round(row["bits"], 4)
        tell(f"{row['characters']:>9,} characters, {row['model']:>7}: {row['bits']} bits")
    results["rows"] = sorted(results["rows"] + rows, key=lambda row: (-row["share"], row["model"]))
    write_rows(results, path)


class CharacterRace(NamedTuple):
    """Bits a character of the n-grams of the whole text by order, and of all by size."""

    by_order: dict[int, float]
    best: int  # the order that did best on the part to choose by
    by_size: dict[str, dict[int, float]]  # model -> characters read -> bits


def character_race(path: str | Path = RESULTS) -> CharacterRace:
    """Look up the shipped race, or that of another file."""
    rows = load_rows(path)["rows"]
    whole = [row for row in rows if row["share"] == 1 and "valid" in row]
    orders = {int(row["model"].partition("-")[0]): row for row in whole}
    best = min(orders, key=lambda n: orders[n]["valid"])
    by_size: dict[str, dict[int, float]] = {}
    for row in sorted(rows, key=lambda row: row["characters"]):
        by_size.setdefault(row["model"], {})[row["characters"]] = row["bits"]
    return CharacterRace({n: orders[n]["bits"] for n in sorted(orders)}, best, by_size)
