"""Race counting against networks on the English corpus: who needs how much text?

All get the same words and the same speeches to learn from, and all are asked for every word of
the same held-out speeches, read as one text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from course_utils.models import NGramLM
from course_utils.models.language import LanguageModel
from course_utils.results.files import Row
from course_utils.training.cookbook.english_words import EnglishConfig, english_texts
from course_utils.training.race.race import Lap, Race, register
from course_utils.training.race.whole_run import run_to_the_end
from course_utils.training.recipes.recipe import get_recipe

SHARES = (64, 32, 16, 8, 4, 2, 1)  # every Nth speech; the last is all of them
ORDERS = (1, 2, 3, 5)
TRAINED = {"lstm": SHARES, "window": (4,)}  # on which shares
SMALL = 8  # from this share on there is so little text that half of each state is dropped


def race_config(cell: str, share: int, steps: int | None = None) -> EnglishConfig:
    """Return the recipe of a network for a share of the text.

    A quarter of the text gets half of the steps, so a smaller text is read more often. The weights
    that are kept are those that did best on the validation speeches.
    """
    config = english_config(cell)
    steps = steps or round(config.steps / share**0.5)
    return replace(
        config,
        share=share,
        steps=steps,
        evaluate_every=max(1, steps // 10),
        dropout=0.5 if share >= SMALL else config.dropout,
    )


def english_config(cell: str) -> EnglishConfig:
    """Return the recipe's own sizes."""
    config = get_recipe(f"english_{cell}").config
    assert isinstance(config, EnglishConfig)
    return config


def count_words(share: int, order: int) -> list[Row]:
    """Return the perplexity of Kneser-Ney of an order on the held-out speeches."""
    texts = english_texts(english_config("lstm").words, share)
    counted = NGramLM(len(texts.words), order).fit(texts.train)
    return [{"perplexity": round(counted.perplexity(texts.test), 2)}]


def train_words(cell: str, share: int, steps: int | None, device: str | None) -> list[Row]:
    """Train a network on a share of the text; return its perplexity, and what it took."""
    config = race_config(cell, share, steps)
    plan, history = run_to_the_end(f"english_{cell}", config, device, f"{cell} 1/{share}")
    assert isinstance(plan.model, LanguageModel)
    score = plan.model.perplexity(english_texts(config.words, share).test)
    seconds = round(history.elapsed)
    return [{"perplexity": round(score, 2), "steps": len(history), "seconds": seconds}]


def laps(steps: int | None, device: str | None) -> Iterator[Lap]:
    """Yield the race from the least text to the most."""
    for share in SHARES:
        tokens = len(english_texts(english_config("lstm").words, share).train)
        about = {"share": share, "tokens": tokens}
        for order in ORDERS:
            yield Lap({"model": f"{order}-gram", **about}, partial(count_words, share, order))
        for cell in (cell for cell, shares in TRAINED.items() if share in shares):
            yield Lap({"model": cell, **about}, partial(train_words, cell, share, steps, device))


def said(row: Row) -> str:
    """Say what one run reached."""
    return f"{row['tokens']:>9,} words, {row['model']:>7}: perplexity {row['perplexity']}"


RACE = register(
    Race(
        "word_race",
        "n-grams, a window and an LSTM on more and more of the English corpus, lecture 01",
        laps,
        said,
    )
)
