"""Learning rates as functions of the step: each returns a factor for the optimiser's own rate."""

from __future__ import annotations

import math
from collections.abc import Callable

Schedule = Callable[[int], float]


def constant(step: int) -> float:
    """Leave the rate alone."""
    return 1.0


def warmup_cosine(steps: int, warmup: int = 0, floor: float = 0.0) -> Schedule:
    """Rise linearly for `warmup` steps, then fall along half a cosine to `floor` at `steps`."""
    if not 0 <= warmup < steps:
        raise ValueError(f"warmup={warmup} must be at least 0 and below steps={steps}")

    def factor(step: int) -> float:
        if step < warmup:
            return (step + 1) / warmup
        progress = min(1.0, (step - warmup) / (steps - warmup))
        return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * progress))

    return factor
