"""Go back from the memory at the last word: how it answers to every gate and state before."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from course_utils.analysis.gates.walk import GATES, STATES, Walk
from course_utils.data.vocabulary import words_of
from course_utils.models import RecurrentLM
from course_utils.models.steps import GRUStep, LSTMStep, Weights, gru_step, lstm_step


def gradients_on_the_way_back(model: RecurrentLM, walk: Walk, unit: int) -> dict[str, np.ndarray]:
    """Return dJ/d(gate or state) of one unit at every word, (T,) each, measured by autograd.

    J is this unit's memory at the last word: c of an LSTM, h of a GRU. Every gradient is the whole
    one, along the memory and through all units' gates.
    """
    x = model.embedding(words_of(model).encode(walk.words)).detach().double()  # (T, D)
    given = model.recurrent.weights()
    W, U, b, b_U = (None if part is None else part.detach().double() for part in given)
    assert W is not None
    assert U is not None
    # a leaf that asks for a gradient: without one nothing would be recorded
    steps = _run(walk.kind, x, Weights(W.requires_grad_(), U, b, b_U))
    names = (*GATES[walk.kind], *STATES[walk.kind])
    memory = STATES[walk.kind][0]
    J = getattr(steps[-1], memory)[0, unit]
    parts = [getattr(step, name) for step in steps for name in names]
    found = torch.autograd.grad(J, parts, allow_unused=True)  # no h at the last word, no o
    of_unit = [0.0 if gradient is None else gradient[0, unit].item() for gradient in found]
    table = np.array(of_unit).reshape(len(steps), len(names))  # (T, names)
    return dict(zip(names, table.T, strict=True))


def _run(kind: str, x: Tensor, weights: Weights) -> list[LSTMStep | GRUStep]:
    zeros = x.new_zeros(1, weights.U.shape[1])
    lstm: LSTMStep | tuple[Tensor, Tensor] = (zeros, zeros)
    gru: GRUStep | Tensor = zeros
    steps: list[LSTMStep | GRUStep] = []
    for x_t in x:
        if kind == "lstm":
            lstm = lstm_step(x_t[None], lstm, weights)
            steps.append(lstm)
        else:
            gru = gru_step(x_t[None], gru, weights)
            steps.append(gru)
    return steps
