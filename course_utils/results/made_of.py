"""What is ELMo made of? The shipped answers, trained until the validation part says stop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from course_utils.results.files import Row, not_run, shipped_rows
from course_utils.results.using_elmo import Scores, scores_of

SIZES = {  # how many labels each task gives
    "ud_english_ewt": (100, 500),
    "grammar": (20, 100, 500),
    "era": (50, 200, 1000),
    "sentence_polarity": (50, 200, 1000, 5000),
}
INGREDIENTS = ("words", "static", "random", "letters", "layer 1", "top layer", "elmo")
SETTINGS = ("output", "both", "no dropout", "no penalty", "strong penalty")
SETTINGS_AT = (("grammar", 100), ("ud_english_ewt", 100))
STUDENT = 2.776  # of five seeds: 95 % of Student's distribution with four degrees of freedom


def made_of() -> list[Row]:
    """Return every row of the shipped file."""
    return shipped_rows("made_of")


def reached(task: str, variant: str, rows: Iterable[Row] | None = None) -> Scores:
    """Look up what one ingredient reached on one task, every seed, from few labels to many."""
    return scores_of(task, variant, made_of() if rows is None else rows)


def gain(task: str, size: int, variant: str, over: str) -> np.ndarray:
    """Return by how much one ingredient is ahead of another, seed by seed."""
    ahead: np.ndarray = reached(task, variant).at(size) - reached(task, over).at(size)
    return ahead


def runs_of(task: str, size: int, named: Mapping[str, str]) -> dict[str, list[float]]:
    """Return every seed's share of right labels, under the names that a picture shows."""
    return {label: reached(task, name).at(size).tolist() for name, label in named.items()}


class Learned(NamedTuple):
    """What five networks got right of their test sentences while they learned."""

    steps: list[int]
    right: np.ndarray  # (checks, seeds)

    def after(self, steps: int) -> np.ndarray:
        """Return every seed's share after so many steps; what has ended stays what it was."""
        kept: np.ndarray = self.right[sum(each <= steps for each in self.steps) - 1]
        return kept

    def until(self, share: float) -> int:
        """Return after how many steps the mean of the seeds first was so high."""
        high = self.right.mean(axis=1) >= share
        if not high.any():
            raise LookupError(f"no mean of the seeds reaches {share}")
        return self.steps[int(high.argmax())]


def learned(task: str, size: int, variant: str) -> Learned:
    """Look up every check of one ingredient's five trainings."""
    curves = [np.array(row["curve"]) for row in _runs(task, size, variant)]
    return Learned(
        curves[0][:, 0].astype(int).tolist(), np.stack([curve[:, 2] for curve in curves], axis=1)
    )


def stops(task: str, size: int, variant: str) -> list[int]:
    """Return after how many steps the validation sentences of each seed were answered best."""
    return [row["steps"] for row in _runs(task, size, variant)]


def mixes(task: str, size: int, variant: str = "elmo") -> np.ndarray:
    """Return every seed's shares of the layers, (seeds, L + 1)."""
    return np.array([row["mix"] for row in _runs(task, size, variant)])


def _runs(task: str, size: int, variant: str) -> list[Row]:
    asked = {"task": task, "size": size, "variant": variant}
    found = [row for row in made_of() if asked.items() <= row.items() and "curve" in row]
    if not found:
        raise not_run(f"{task} {size}, {variant}", "made_of")
    return sorted(found, key=lambda row: int(row["seed"]))


def interval(gains: Iterable[float]) -> tuple[float, float, float]:
    """Return the mean of five paired differences, and the ends of its 95 % interval."""
    values = np.array(list(gains))
    half = STUDENT * values.std(ddof=1) / np.sqrt(len(values))
    return float(values.mean()), float(values.mean() - half), float(values.mean() + half)
