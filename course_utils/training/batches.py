"""Draw batches from whatever the caller has, and know where a resumed run continues."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypeGuard

import torch

from course_utils.training.parallel.distributed import Batches, rebuilt
from course_utils.training.resume.randomness import random_state, restore_random_state


class Stateful(Protocol):
    """Anything that can report its position and return to it."""

    def state_dict(self) -> object: ...
    def load_state_dict(self, state: object) -> None: ...


class BatchSource:
    """Endless batches from a function of their number, or from an iterable that starts again.

    A function `batch(number)` resumes at once. An iterable is resumed by redrawing the batches
    already drawn in this pass, from the random state that the pass began with, unless it has its
    own `state_dict` and `load_state_dict`.
    """

    def __init__(self, batches: Batches):
        if not callable(batches) and not isinstance(batches, Iterable):
            raise TypeError(
                "batches must be a function from a batch's number to the batch, or an iterable "
                f"such as a list or a DataLoader, not {type(batches).__name__}"
            )
        self.batches = batches
        self.taken = 0  # batches since the start, or since this pass began
        self._iterator: Iterator[object] | None = None
        self._random: dict[str, object] | None = None

    def next(self) -> object:
        """Return the next batch."""
        if callable(self.batches):
            batch = self.batches(self.taken)
        else:
            batch = self._next_of_pass(self.batches)
        self.taken += 1
        return batch

    def _next_of_pass(self, batches: Iterable[object]) -> object:
        iterator = self._begin_pass(batches) if self._iterator is None else self._iterator
        try:
            return next(iterator)
        except StopIteration:
            iterator = self._begin_pass(batches)
        try:
            return next(iterator)
        except StopIteration:
            raise ValueError(
                "the batches ran out and cannot be drawn again: pass a list, a DataLoader or a "
                "function of the batch's number, not a generator"
            ) from None

    def _begin_pass(self, batches: Iterable[object]) -> Iterator[object]:
        self._random = random_state()
        self._iterator = iter(batches)
        self.taken = 0
        return self._iterator

    def state_dict(self) -> dict[str, object]:
        """Return the position: how many batches were taken, and what else restoring it needs."""
        own = self.batches.state_dict() if _keeps_own_place(self.batches) else None
        return {"taken": self.taken, "random": self._random, "own": own}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go to a position; the caller restores the run's random state after this."""
        if state["own"] is not None and _keeps_own_place(self.batches):
            self.batches.load_state_dict(state["own"])
        elif not callable(self.batches) and state["random"] is not None:
            restore_random_state(state["random"])
            iterator = self._begin_pass(self.batches)
            for _ in range(state["taken"]):
                next(iterator)
        self.taken = state["taken"]


def _keeps_own_place(batches: object) -> TypeGuard[Stateful]:
    return hasattr(batches, "state_dict") and hasattr(batches, "load_state_dict")


def to_device(batch: object, device: torch.device) -> object:
    """Move every tensor of a batch, however it is nested."""
    if isinstance(batch, dict):
        return {key: to_device(value, device) for key, value in batch.items()}
    if isinstance(batch, list | tuple) and not hasattr(batch, "to"):
        return rebuilt(batch, [to_device(value, device) for value in batch])
    if hasattr(batch, "to"):  # a tensor, a PackedSequence
        return batch.to(device, non_blocking=True)
    return batch
