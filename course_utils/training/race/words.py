"""Race counting against recurrence on the English corpus: who needs how much text?

Both get the same words and the same speeches to learn from, and both are asked for every word of
the same held-out speeches, read as one text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from course_utils.models import NGramLM, RecurrentLM
from course_utils.training.cookbook.english_words import EnglishConfig, english_texts
from course_utils.training.race.one_by_one import Lap, Row, load_rows, run_laps, run_to_the_end
from course_utils.training.recipes.recipe import get_recipe

RESULTS = Path(__file__).parents[2] / "checkpoints" / "word_race.json"
SHARES = (64, 32, 16, 8, 4, 2, 1)  # every Nth speech; the last is all of them
ORDERS = (1, 2, 3, 5)
TRAINED = ("lstm",)
SMALL = 8  # from this share on there is so little text that half of each state is dropped


def race_config(cell: str, share: int, steps: int | None = None) -> EnglishConfig:
    """Return the recipe of a network for a share of the text.

    A quarter of the text gets half of the steps: every word is read more often where there are
    fewer. The weights that are kept are those that did best on the speeches to choose by.
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


def count_words(share: int, order: int) -> Row:
    """Return the perplexity of Kneser-Ney of an order on the held-out speeches."""
    texts = english_texts(english_config("lstm").words, share)
    counted = NGramLM(len(texts.words), order).fit(texts.train)
    return {"perplexity": round(counted.perplexity(texts.test), 2)}


def train_words(cell: str, share: int, steps: int | None, device: str | None) -> Row:
    """Train a network on a share of the text; return its perplexity, and what it took."""
    config = race_config(cell, share, steps)
    plan, history = run_to_the_end(f"english_{cell}", config, device, f"{cell} 1/{share}")
    assert isinstance(plan.model, RecurrentLM)
    score = plan.model.perplexity(english_texts(config.words, share).test)
    return {
        "perplexity": round(score, 2),
        "steps": len(history),
        "seconds": round(history.elapsed),
    }


def race_words(
    path: str | Path = RESULTS,
    shares: Iterable[int] = SHARES,
    steps: int | None = None,
    device: str | None = None,
    tell: Callable[[str], None] = print,
) -> Path:
    """Run the race from the least text to the most; what is finished is not run again."""
    return run_laps(path, steps, _laps(shares, steps, device), _said, tell)


def _laps(shares: Iterable[int], steps: int | None, device: str | None) -> Iterator[Lap]:
    for share in shares:
        tokens = len(english_texts(english_config("lstm").words, share).train)
        about = {"share": share, "tokens": tokens}
        for order in ORDERS:
            yield Lap({"model": f"{order}-gram", **about}, partial(count_words, share, order))
        for cell in TRAINED:
            yield Lap({"model": cell, **about}, partial(train_words, cell, share, steps, device))


def _said(row: Row) -> str:
    return f"{row['tokens']:>9,} words, {row['model']:>7}: perplexity {row['perplexity']}"


def load_word_race(path: str | Path = RESULTS) -> dict[str, Any]:
    """Return the shipped results, or those of another file."""
    return load_rows(path)


class WordRace(NamedTuple):
    """Perplexity of every model of the shipped race, from the least text to the most."""

    tokens: Sequence[int]
    scores: dict[str, list[float]]


def word_race(models: Sequence[str] = ("2-gram", "5-gram", "lstm")) -> WordRace:
    """Look up the race: who has which perplexity after how many words of training text."""
    rows = load_word_race()["rows"]
    tokens = sorted({row["tokens"] for row in rows})
    found = {(row["model"], row["tokens"]): row["perplexity"] for row in rows}
    return WordRace(tokens, {name: [found[name, n] for n in tokens] for name in models})
