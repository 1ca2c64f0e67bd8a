"""The races of lecture 01: over more and more text, and with small networks to their win."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from course_utils.results.files import Row, shipped_rows


class WordRace(NamedTuple):
    """Every model's perplexity, from the smallest training text to the largest."""

    tokens: Sequence[int]
    scores: dict[str, list[float]]


def word_race(
    models: Sequence[str] = ("2-gram", "5-gram", "lstm"), rows: Iterable[Row] | None = None
) -> WordRace:
    """Look up each model's perplexity by the number of words in its training text."""
    rows = shipped_rows("word_race") if rows is None else list(rows)
    tokens = sorted({row["tokens"] for row in rows})
    found = {(row["model"], row["tokens"]): row["perplexity"] for row in rows}
    return WordRace(tokens, {name: [found[name, n] for n in tokens] for name in models})


def share_of_lead(
    model: str = "window", share: int = 4, rows: Iterable[Row] | None = None
) -> float:
    """Return how much of the LSTM's lead over 5-grams a model has, in nats, on every nth speech."""
    rows = shipped_rows("word_race") if rows is None else list(rows)
    found = {row["model"]: math.log(row["perplexity"]) for row in rows if row["share"] == share}
    return (found["5-gram"] - found[model]) / (found["5-gram"] - found["lstm"])


class SmallWords(NamedTuple):
    """Perplexities: of counting, and of every seed of the small networks at these steps."""

    steps: Sequence[int]
    counts: dict[str, float]
    networks: dict[str, list[list[float]]]


def small_words(rows: Iterable[Row] | None = None) -> SmallWords:
    """Look up window and Elman network on the way, and the n-grams that they race."""
    rows = shipped_rows("small_words") if rows is None else list(rows)
    counts = {r["model"]: r["perplexities"][0] for r in rows if "seed" not in r}
    networks: dict[str, list[list[float]]] = {}
    for row in rows:
        if "seed" in row:
            networks.setdefault(row["model"], []).append(row["perplexities"])
    (steps,) = {tuple(row["steps"]) for row in rows if "seed" in row}
    return SmallWords(steps, counts, networks)
