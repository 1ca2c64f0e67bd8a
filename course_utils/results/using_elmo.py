"""What ELMo gives to tasks, and what its layers know: every number of lecture 10."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from course_utils.results.files import Row, not_run, shipped_rows

MAIN = ("words", "static", "random", "elmo")  # the variants that run at every size
IN_ORDER = "era, in order"  # for a recurrent network: a bag's input and output are the same place
SIZES = {  # how many labels each task gives
    "era": (50, 200, 1000, 2500),
    "grammar": (20, 100, 500),
    "ud_english_ewt": (100, 500),
    "sentence_polarity": (50, 200, 1000, 5000),
}
SETTINGS = ("output", "both", "no dropout", "no penalty", "strong penalty", "fine-tuned")
SETTINGS_AT = (("grammar", 100), (IN_ORDER, 100))


class Scores(NamedTuple):
    """The scores of one task and variant, seeds together, by size."""

    sizes: list[int]
    seeds: list[list[float]]  # one list a size, seeds in order: two variants can be paired

    def at(self, size: int) -> np.ndarray:
        """Return every seed's score at one size."""
        seeds: np.ndarray = np.array(self.seeds[self.sizes.index(size)])
        return seeds


def lecture10() -> list[Row]:
    """Return every row of the shipped file."""
    return shipped_rows("lecture10")


def scores_of(task: str, variant: str, rows: Iterable[Row] | None = None) -> Scores:
    """Look up every seed of one variant on one task, from the smallest size to the largest."""
    found: dict[int, dict[int, float]] = {}
    for row in lecture10() if rows is None else rows:
        if (row["task"], row["variant"]) == (task, variant):
            found.setdefault(row["size"], {})[row["seed"]] = row["score"]
    if not found:
        raise not_run(f"{task}, {variant}", "lecture10")
    sizes = sorted(found)
    return Scores(sizes, [[found[size][seed] for seed in sorted(found[size])] for size in sizes])


class Probed(NamedTuple):
    """A linear probe's accuracy on each layer, (L + 1, seeds): gold labels and control labels."""

    gold: np.ndarray
    control: np.ndarray

    @property
    def selectivity(self) -> np.ndarray:
        """Return how much of the gold accuracy is not memory, by layer and seed."""
        beyond: np.ndarray = self.gold - self.control
        return beyond


def probed(task: str, gold: str, source: str, rows: Iterable[Row] | None = None) -> Probed:
    """Look up a probe: probed("sense probe", "senses", "elmo")."""
    rows = lecture10() if rows is None else list(rows)
    found = (scores_of(task, f"{source} {about}", rows).seeds for about in (gold, "control"))
    return Probed(*map(np.array, found))


def probed_rows(
    task: str, gold: str, named: Mapping[str, str], rows: Iterable[Row] | None = None
) -> dict[str, dict[str, list[float]]]:
    """Look up a probe of several sources: what it reads, its control and the rest, by layer."""
    rows = lecture10() if rows is None else list(rows)
    found: dict[str, dict[str, list[float]]] = {gold: {}, "control": {}, "selectivity": {}}
    for source, name in named.items():
        reads = probed(task, gold, source, rows)
        for kind, layers in zip(found, (reads.gold, reads.control, reads.selectivity), strict=True):
            for layer, seeds in enumerate(layers):
                row = f"{name}, layer {layer}" if len(layers) > 1 else name
                found[kind][row] = seeds.tolist()
    return found


class Nats(NamedTuple):
    """What a language model pays for the words of a text: those it can name, and <unk>."""

    known: float  # nats, all together
    unknown: float
    known_asked: float  # how many words
    unknown_asked: float

    @property
    def perplexities(self) -> tuple[float, float]:
        """Return the perplexity of the words that it can name, and that of <unk>."""
        paid = self.known / self.known_asked, self.unknown / self.unknown_asked
        known, unknown = (round(float(np.exp(each)), 1) for each in paid)
        return known, unknown


def nats_of_reviews(when: str, rows: Iterable[Row] | None = None) -> Nats:
    """Look up what the forward model paid on reviews, before or after it had read others."""
    rows = lecture10() if rows is None else list(rows)
    names = (name.replace("_", " ") for name in Nats._fields)
    found = (scores_of("nats of reviews", f"{when} {name}", rows) for name in names)
    return Nats(*(scores.seeds[0][0] for scores in found))
