"""What the directions of a biLM gain or lose by sharing their character CNN and their softmax."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median
from typing import NamedTuple

from course_utils.results.files import Row, shipped_rows


class Sharing(NamedTuple):
    """What a form reached: one perplexity per seed, both directions combined, and its size."""

    perplexities: list[float]
    parameters: int

    @property
    def median(self) -> float:
        """Return the median over seeds."""
        return median(self.perplexities)

    def over(self, other: Sharing) -> list[float]:
        """Return this form's perplexity divided by another's, seed by seed: below 1 is a gain."""
        return [a / b for a, b in zip(self.perplexities, other.perplexities, strict=True)]


def sharing(rows: Iterable[Row] | None = None) -> dict[str, Sharing]:
    """Look up every form, keyed by what it shares."""
    rows = shipped_rows("elmo_sharing") if rows is None else list(rows)
    return {
        form: Sharing(
            [(r["forward"] * r["backward"]) ** 0.5 for r in rows if r["shared"] == form],
            next(r["parameters"] for r in rows if r["shared"] == form),
        )
        for form in dict.fromkeys(row["shared"] for row in rows)
    }
