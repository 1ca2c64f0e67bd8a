"""What is ELMo made of? The shipped answers, trained until the validation part says stop."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from course_utils.results.files import Row, shipped_rows
from course_utils.results.using_elmo import Scores, scores_of

SIZES = {  # how many labels each task gives
    "ud_english_ewt": (100, 500),
    "grammar": (20, 100, 500),
    "era": (50, 200, 1000),
    "sentence_polarity": (50, 200, 1000, 5000),
}
STUDENT = 2.776  # of five seeds: 95 % of Student's distribution with four degrees of freedom


def made_of() -> list[Row]:
    """Return every row of the shipped file."""
    return shipped_rows("made_of")


def reached(task: str, variant: str, rows: Iterable[Row] | None = None) -> Scores:
    """Look up what one ingredient reached on one task, every seed, from few labels to many."""
    return scores_of(task, variant, made_of() if rows is None else rows)


def interval(gains: Iterable[float]) -> tuple[float, float, float]:
    """Return the mean of five paired differences, and the ends of its 95 % interval."""
    values = np.array(list(gains))
    half = STUDENT * values.std(ddof=1) / np.sqrt(len(values))
    return float(values.mean()), float(values.mean() - half), float(values.mean() + half)
