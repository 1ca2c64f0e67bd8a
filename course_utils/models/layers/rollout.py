"""Run a recurrent layer step by step, as the lectures write it, with a place to intervene."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from course_utils.models.layers.edits import Edit, edited
from course_utils.models.layers.kinds import CellKind
from course_utils.models.steps import Carried, Step, Weights


def roll(
    cell: CellKind,
    x: Tensor,
    start: Carried,
    weights: Weights,
    backwards: bool,
    real: Tensor | None,
    edit: Edit | None,
) -> Step:
    """Return every step of one layer and direction, stacked to (T, B, H).

    `real` is False on padding: there the state does not change, so that a backward pass starts at
    each sequence's own end.
    """
    T = len(x)
    steps: dict[int, Step] = {}
    prev = start
    for t in reversed(range(T)) if backwards else range(T):
        step = cell.step(x[t], prev, weights)
        if edit is not None:
            settle = _settling(cell, x[t], prev, weights)
            step = edited(edit, t, step, settle)
        steps[t] = step
        prev = _carried(step, prev, None if real is None else real[t])
    fields = zip(*(steps[t] for t in range(T)), strict=True)
    return type(steps[0])(*(torch.stack(field) for field in fields))  # (T, B, H) each


def edits_of(edit: Edit | Mapping[int, Edit] | None, count: int) -> list[Edit | None]:
    """Return the edit of each layer and direction: a bare function edits them all."""
    if not isinstance(edit, Mapping):
        return [edit] * count
    unknown = [key for key in edit if key not in range(count)]
    if unknown:
        raise ValueError(
            f"no layer and direction has index {unknown[0]!r}: rollout returns {count} of them, "
            f"0 to {count - 1}, and `edit` is keyed by the place in that list"
        )
    return [edit.get(index) for index in range(count)]


def _settling(
    cell: CellKind, x_t: Tensor, prev: Carried, weights: Weights
) -> Callable[[Step, set[str]], Step]:
    return lambda step, changed: cell.settle(step, changed, x_t, prev, weights)


def _carried(step: Step, prev: Carried, real: Tensor | None) -> Carried:
    """Return the state for the next step: a step's first fields are its state."""
    pairs = zip(step, prev, strict=False)
    if real is None:
        return type(prev)(*(new for new, _ in pairs))
    return type(prev)(*(torch.where(real, new, old) for new, old in pairs))
