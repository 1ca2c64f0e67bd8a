"""A network that reads the same letter again and again, h_n = F(h_{n-1}): where does it go?"""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

from course_utils.analysis.counting.precision import Rounding, rounded_step
from course_utils.models import LSTMStep, RecurrentLM
from course_utils.models.quiet import quiet


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
