"""Let a reader edit a step in the middle of a rollout, and propagate the change."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.functional import linear

from course_utils.models.steps import (
    ElmanStep,
    GRUStep,
    LSTMState,
    LSTMStep,
    State,
    Step,
    Weights,
    each_field,
)

Edit = Callable[[int, Step], Step | None]


def edited(edit: Edit, t: int, step: Step, settle: Callable[[Step, set[str]], Step]) -> Step:
    """Return the step after `edit`, with everything that depends on its changes recomputed.

    A field that the edit sets stays as set; a field that it leaves alone follows from the others.
    """
    copy = each_field(step, Tensor.clone)  # so that `step.i[:, 3] = 0` works too
    new = edit(t, copy)
    new = copy if new is None else new
    if type(new) is not type(step):
        raise TypeError(
            f"edit must return the {type(step).__name__} it was given, changed by "
            f"step._replace(...), or None; it returned a {type(new).__name__}"
        )
    changed = {name for name in step._fields if _differs(name, step, copy, new)}
    return settle(new, changed) if changed else step


def _differs(name: str, step: Step, copy: Step, new: Step) -> bool:
    before, after = getattr(step, name), getattr(new, name)
    if not isinstance(after, Tensor):
        raise TypeError(
            f"edit made {name} a {type(after).__name__}: give a tensor, such as "
            f"torch.zeros_like(step.{name})"
        )
    if after.shape != before.shape:
        raise ValueError(
            f"edit made {name} {tuple(after.shape)}: it must stay {tuple(before.shape)}"
        )
    replaced = after is not getattr(copy, name)
    return replaced or not (after.is_meta or torch.equal(after, before))


def settle_elman(
    step: ElmanStep,
    changed: set[str],
    x_t: Tensor,
    prev: State,
    weights: Weights,
    g: Callable[[Tensor], Tensor],
) -> ElmanStep:
    """Recompute h from a."""
    return step if "h" in changed else step._replace(h=g(step.a))


def settle_lstm(
    step: LSTMStep, changed: set[str], x_t: Tensor, prev: LSTMState, weights: Weights
) -> LSTMStep:
    """Recompute c from f, i and g, and h from o and c."""
    c = step.c if "c" in changed else step.f * prev.c + step.i * step.g
    h = step.h if "h" in changed else step.o * torch.tanh(c)
    return step._replace(c=c, h=h)


def settle_gru(
    step: GRUStep, changed: set[str], x_t: Tensor, prev: State, weights: Weights
) -> GRUStep:
    """Recompute n from r, and h from z and n."""
    n = step.n
    if "r" in changed and "n" not in changed:
        of_n = slice(2 * n.shape[-1], None)  # the candidate's rows
        W, U, b, b_U = weights
        x_n = linear(x_t, W[of_n], None if b is None else b[of_n])
        h_n = linear(prev.h, U[of_n], None if b_U is None else b_U[of_n])
        n = torch.tanh(x_n + step.r * h_n)
    h = step.h if "h" in changed else (1 - step.z) * n + step.z * prev.h
    return step._replace(n=n, h=h)
