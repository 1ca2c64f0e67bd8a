"""What a bounded state can tell apart: a network that reads one letter again and again.

h_n = F(h_{n-1}) with a state in (-1, 1). As soon as a state comes back, bit for bit, all that
follows comes back with it: a^n and a^(n + period) are one text to the network, whatever is read out
of it, so it is wrong about one of them.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.counting.precision import Rounding, rounded_step
from course_utils.models import LSTMStep, RecurrentLM
from course_utils.models.quiet import quiet


class Repeat(NamedTuple):
    """The first state that was there before: after `first` letters, and again `period` later."""

    first: int
    period: int


def states_of(
    model: RecurrentLM, token: int, times: int, rounding: Rounding | None = None
) -> Tensor:
    """Return the whole state after the start and after each of `times` letters, (1 + times, S).

    `rounding` is applied to the state after every step.
    """
    tokens = torch.tensor([0, *[token] * times])[:, None]
    with quiet(model):
        if rounding is None:
            step = model.trace(tokens)[0]
        else:
            edit = partial(rounded_step, rounding)
            step = model.recurrent.rollout(model.embedding(tokens), edit=edit)[0]
    parts = (step.h, step.c) if isinstance(step, LSTMStep) else (step.h,)
    return torch.cat(parts, dim=-1)[:, 0]


def first_repeat(states: Tensor) -> Repeat | None:
    """Return the first state that comes back, bit for bit, None if all are different."""
    seen: dict[bytes, int] = {}
    for n, state in enumerate(states):
        before = seen.setdefault(state.contiguous().numpy().tobytes(), n)
        if before < n:
            return Repeat(before, n - before)
    return None


def spread(states: Tensor) -> float:
    """Return the side of the smallest box that holds all of these states (T, S)."""
    return (states.amax(dim=0) - states.amin(dim=0)).max().item()
