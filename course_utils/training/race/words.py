"""Race counting against recurrence on the English corpus: who needs how much text?

Both get the same words and the same speeches to learn from, and both are asked for every word of
the same held-out speeches, read as one text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from course_utils.models import NGramLM, RecurrentLM
from course_utils.training.cookbook.english_words import EnglishConfig, english_texts
from course_utils.training.race.one_by_one import begun, load_rows, run_to_the_end, write_rows
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


def count_words(share: int) -> dict[str, float]:
    """Return the perplexity of every order of Kneser-Ney on the held-out speeches."""
    texts = english_texts(english_config("lstm").words, share)
    return {
        f"{order}-gram": NGramLM(len(texts.words), order).fit(texts.train).perplexity(texts.test)
        for order in ORDERS
    }


def train_words(cell: str, share: int, steps: int | None, device: str | None) -> dict[str, Any]:
    """Train a network on a share of the text; return its perplexity, and what it took."""
    config = race_config(cell, share, steps)
    plan, history = run_to_the_end(f"english_{cell}", config, device, f"{cell} 1/{share}")
    assert isinstance(plan.model, RecurrentLM)
    score = plan.model.perplexity(english_texts(config.words, share).test)
    return {"perplexity": score, "steps": len(history), "seconds": round(history.elapsed)}


def race_words(
    path: str | Path = RESULTS,
    shares: Iterable[int] = SHARES,
    cells: Iterable[str] = TRAINED,
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
        tokens = len(english_texts(english_config("lstm").words, share).train)
        about = {"share": share, "tokens": tokens}
        if ("1-gram", share) not in done:
            scores = count_words(share)
            rows = [{"model": name, **about, "perplexity": pp} for name, pp in scores.items()]
            _keep(results, rows, path, tell)
        for cell in cells:
            if (cell, share) not in done:
                row = {"model": cell, **about, **train_words(cell, share, steps, device)}
                _keep(results, [row], path, tell)
    return path


def _keep(
    results: dict[str, Any], rows: list[dict[str, Any]], path: Path, tell: Callable[[str], None]
) -> None:
    for row in rows:
        row["perplexity"] = round(row["perplexity"], 2)
        tell(f"{row['tokens']:>9,} words, {row['model']:>7}: perplexity {row['perplexity']}")
    results["rows"] = sorted(results["rows"] + rows, key=lambda row: (-row["share"], row["model"]))
    write_rows(results, path)


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
