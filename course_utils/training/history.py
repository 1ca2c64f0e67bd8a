"""What happened during a run, step by step, as arrays."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Rows = list[float] | list[tuple[float, float]]

PER_STEP = ("loss", "grad_norm", "lr", "targets", "seconds")


@dataclass
class History:
    """A run's record: arrays with one entry per step, and one per evaluation.

    `targets` counts the predictions that a step's loss averages, `seconds` is the time since the
    start, `stopped` says why the run ended.
    """

    stopped: str = ""
    best: float = math.inf
    best_step: int = 0
    _steps: dict[str, list[float]] = field(default_factory=lambda: {k: [] for k in PER_STEP})
    _evaluations: list[tuple[float, float]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self._steps["loss"])

    def __getattr__(self, name: str) -> Numbers:
        if name in PER_STEP:
            return _array(self._steps[name])
        raise AttributeError(f"a history has {', '.join(PER_STEP)} and evaluations, not {name!r}")

    @property
    def evaluations(self) -> Numbers:
        """Return (N, 2): the step after which an evaluation was made, and its value."""
        return _array(self._evaluations).reshape(-1, 2)

    @property
    def elapsed(self) -> float:
        """Return how many seconds the run has taken, over all its resumptions."""
        return self.last("seconds") if len(self) else 0.0

    def last(self, name: str) -> float:
        """Return the newest entry, NaN before the first step."""
        return self._steps[name][-1] if len(self) else math.nan

    def total(self, name: str) -> float:
        """Return the sum of all entries."""
        return sum(self._steps[name])

    def add_step(self, **numbers: float) -> None:
        """Append one step's numbers, ignoring those that a history does not keep."""
        for name in PER_STEP:
            self._steps[name].append(numbers[name])

    def add_evaluation(self, value: float) -> bool:
        """Append an evaluation; return whether it is the best so far."""
        self._evaluations.append((len(self), value))
        if not value < self.best:
            return False
        self.best, self.best_step = value, len(self)
        return True

    @property
    def evaluations_since_best(self) -> int:
        """Return how many evaluations came after the best one."""
        return sum(step > self.best_step for step, _ in self._evaluations)

    def state_dict(self) -> dict[str, object]:
        """Return everything but the reason for stopping: a resumed run has not stopped."""
        steps = {name: _tensor(values) for name, values in self._steps.items()}
        return {"steps": steps, "evaluations": _tensor(self._evaluations),
                "best": self.best, "best_step": self.best_step}  # fmt: skip

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue the record of another run."""
        self._steps = {name: values.tolist() for name, values in state["steps"].items()}
        self._evaluations = [tuple(pair) for pair in state["evaluations"].tolist()]
        self.best, self.best_step = state["best"], state["best_step"]


def _tensor(values: Rows) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def _array(values: Rows) -> Numbers:
    return _tensor(values).numpy()
