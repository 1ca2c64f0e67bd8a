"""Race counting against recurrence on source code: who needs how much text, and how long a memory?

Both get the same characters and the same modules to learn from, and both are asked for every
character of the same stretch of held-out modules, read as one text.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import islice

from torch import Tensor

from course_utils.models import RecurrentLM
from course_utils.models.language.ngram import log_probs_by_order
from course_utils.results.files import Row
from course_utils.settings import seed_everything
from course_utils.shipped import load_recurrent_lm
from course_utils.training.cookbook.characters import (
    RECIPE,
    CharacterConfig,
    source_texts,
    source_vocabulary,
)
from course_utils.training.cookbook.streams import text_plan
from course_utils.training.race.race import Lap, Race, register
from course_utils.training.race.whole_run import finish

SHARES = (64, 16, 4, 1)  # every Nth module; the last is all of them
ORDERS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64)  # until longer ones gain nothing
# of these the LSTM reads so much, with these seeds; it is the first that is shipped
SEEDS = {64: (20, 21, 22, 23, 24), 16: (20, 21, 22, 23, 24), 4: (20,), 1: (20,)}
LITTLE, LANES, READINGS = (64, 16), 8, 20  # shares; how they are read, and how often
ASKED = 100_000  # characters, from the start of the part to report on
SHIPPED = "source_lstm"  # what the race takes for the whole text


def share_config(share: int, steps: int | None = None) -> CharacterConfig:
    """Return the recipe for a share of the text; of its looks at `valid` the best is kept.

    Little text is read until that gains nothing more: in few lanes, so that there are many updates.
    """
    if share in LITTLE:
        [text, *_] = source_texts(RECIPE.min_count, share)
        steps = steps or round(READINGS * len(text) / (LANES * RECIPE.piece))
        batch, dropout = LANES, 0.4
    else:
        steps = steps or round(RECIPE.steps / share**0.75)
        batch, dropout = RECIPE.batch, RECIPE.dropout if share == 1 else 0.3
    looks = max(1, steps // 10)
    return replace(RECIPE, steps=steps, evaluate_every=looks, dropout=dropout, batch=batch)


def bits(log_p: Tensor) -> float:
    """Return the mean of -log2 p."""
    return round(-log_p.double().mean().item() / math.log(2), 4)


@cache
def count_characters(share: int) -> dict[int, Row]:
    """Return the bits a character of every order of Kneser-Ney, to report and to choose by."""
    words, texts = source_vocabulary(RECIPE.min_count), source_texts(RECIPE.min_count, share)
    asked = [text[:ASKED] for text in (texts[2], texts[1])]
    by_order = log_probs_by_order(texts[0], asked, len(words))
    found = {}
    for order, log_p in enumerate(islice(by_order, max(ORDERS)), start=1):
        if order in ORDERS:
            report, choose = map(bits, log_p)
            found[order] = {"bits": report, "valid": choose}
    return found


def count_order(share: int, order: int) -> list[Row]:
    """Return one order's; all are counted at once."""
    return [count_characters(share)[order]]


def train_characters(share: int, seed: int, steps: int | None, device: str | None) -> list[Row]:
    """Train the LSTM on a share of the text; the whole text's is the one that is shipped."""
    words, texts = source_vocabulary(RECIPE.min_count), source_texts(RECIPE.min_count, share)
    asked = texts[2][:ASKED]
    if share == 1:
        return [{"bits": bits(load_recurrent_lm(SHIPPED).log_probs(asked))}]
    config = replace(share_config(share, steps), seed=seed)
    seed_everything(config.seed)
    plan = replace(text_plan(config, words, texts), bf16=config.bf16)
    history = finish(plan, config, device, f"lstm 1/{share}, seed {seed}")
    assert isinstance(plan.model, RecurrentLM)
    found = bits(plan.model.eval().log_probs(asked))
    return [{"bits": found, "steps": len(history), "seconds": round(history.elapsed)}]


def laps(steps: int | None, device: str | None) -> Iterator[Lap]:
    """Yield the race from the least text to the most."""
    for share in SHARES:
        about = {"share": share, "characters": len(source_texts(RECIPE.min_count, share)[0])}
        for order in ORDERS:
            yield Lap({"model": f"{order}-gram", **about}, partial(count_order, share, order))
        for seed in SEEDS[share]:
            run = partial(train_characters, share, seed, steps, device)
            yield Lap({"model": "lstm", **about, "seed": seed}, run)


def said(row: Row) -> str:
    """Say what one run reached."""
    return f"{row['characters']:>9,} characters, {row['model']:>7}: {row['bits']} bits"


RACE = register(
    Race(
        "characters_race",
        "n-grams and an LSTM on more and more source code, lecture 07",
        laps,
        said,
    )
)
