"""A mean over few seeds, and a confidence interval for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch

# 97.5% of Student's t lie below these, by the number of values minus one
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)


class Interval(NamedTuple):
    """A mean and its 95% interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} ({self.low:.3f} to {self.high:.3f})"


def interval_of(values: Sequence[float]) -> Interval:
    """Return the mean of a handful of seeds with Student's 95% interval."""
    if not 2 <= len(values) <= len(STUDENT) + 1:
        raise ValueError(f"an interval needs 2 to {len(STUDENT) + 1} seeds, not {len(values)}")
    numbers = torch.tensor(values, dtype=torch.float64)
    mean = numbers.mean().item()
    half = STUDENT[len(values) - 2] * numbers.std().item() / len(values) ** 0.5
    return Interval(mean, mean - half, mean + half)
