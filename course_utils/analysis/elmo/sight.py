"""Which inputs can an output see? Gradients tell, whatever the network is made of."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from course_utils.models.elmo.bilm import BiLM
from course_utils.models.elmo.state import zero_state
from course_utils.settings import SEED

Reader = Callable[[Tensor], Tensor]  # x (T, D) to h (T, H), one sentence


def sight_of(read: Reader, x: Tensor) -> Tensor:
    """Return (T, T): how much output k, in one random direction, feels of input j.

    Entry [k, j] is the norm of a gradient. It is exactly 0 where no path leads from j to k.
    """
    x = x.detach().clone().requires_grad_()
    h = read(x)
    probe = torch.randn(
        h.shape[1:], generator=torch.Generator().manual_seed(SEED), dtype=torch.float64
    ).to(h)
    rows = [
        torch.autograd.grad((output * probe).sum(), x, retain_graph=True, materialize_grads=True)[0]
        for output in h
    ]
    norms: Tensor = torch.stack(rows).norm(dim=-1)
    return norms


def direction_of(bilm: BiLM, direction: int) -> Reader:
    """Return one direction of a biLM, all its layers, as token vectors (T, P) to outputs (T, P)."""

    def read(x: Tensor) -> Tensor:
        own = x.flip(0) if direction else x
        outputs, _ = bilm.read_direction(direction, own[:, None], zero_state(bilm.options, 1, x))
        top = outputs[-1][:, 0]
        return top.flip(0) if direction else top

    return read


def half_of(lstm: nn.LSTM, direction: int) -> Reader:
    """Return one half of a bidirectional LSTM's output, as a naive ELMo would use it."""
    H = lstm.hidden_size

    def read(x: Tensor) -> Tensor:
        h: Tensor = lstm(x[:, None])[0][:, 0]
        return h[:, H:] if direction else h[:, :H]

    return read


def beyond(sight: Tensor, direction: int) -> float:
    """Return the most that any output feels of the input it must predict, or of any beyond it.

    Forward, output k predicts input k + 1, so it may see 0 ... k; backward it may see k ... T - 1.
    """
    ahead = sight.triu(1) if direction == 0 else sight.tril(-1)
    return float(ahead.max())


def within(sight: Tensor, direction: int) -> float:
    """Return the least that any output feels of what it may read."""
    T = len(sight)
    allowed = torch.ones(T, T).tril() if direction == 0 else torch.ones(T, T).triu()
    return float(sight[allowed.bool()].min())
