"""Search all units for the one that follows marks, and ask what luck finds, against a loop."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.analysis.units.selectivity import Areas, area_under_curve
from tests.benchmarks.measure import Row, speedup

T, H, SETS = 20_000, 128, 21  # tokens, units, the marks themselves and 20 times dealt out


def rows() -> list[Row]:
    """Compare areas of all units under all sets of marks with one unit and set at a time."""
    scores = torch.rand(T, H)
    marks = torch.stack([torch.randperm(T) < T // 50 for _ in range(SETS)])
    return [
        speedup(
            "areas of 128 units, 21 sets of marks against a loop",
            lambda: together(scores, marks),
            lambda: one_by_one(scores, marks),
            ">= 20",
            repeats=3,
            warmup=1,
        )
    ]


def together(scores: Tensor, marks: Tensor) -> Tensor:
    """Return areas (SETS, H) from pieces."""
    found = Areas()
    for rows, marked in zip(scores.split(4096), marks.split(4096, dim=1), strict=True):
        found.add(rows, marked)
    return found.values()


def one_by_one(scores: Tensor, marks: Tensor) -> Tensor:
    """Return areas (SETS, H) as a reader would ask for them first."""
    units = [scores[:, [unit]] for unit in range(scores.shape[1])]
    return torch.stack([torch.cat([area_under_curve(u, one) for u in units]) for one in marks])
