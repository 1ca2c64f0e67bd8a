"""Compare gradient profiles of data with a long dependency and of the same data shuffled."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.gradients.bptt import gradients_by_lag
from course_utils.analysis.gradients.elman import Network, trace
from course_utils.settings import SEED


class DelayedSign(NamedTuple):
    """Random signs; the target is the one `lag` steps before the end."""

    x: Tensor  # (T, B, 1), -1 or 1
    y: Tensor  # (B,), 0 or 1


class Profile(NamedTuple):
    """What a step's part in the gradient looks like at every lag, each (T,)."""

    seen: Tensor  # mean over sequences of ||dJ/dh_{T-lag}||: how far the signal reaches
    learned: Tensor  # norm of the mean over sequences of the term of dJ/dW: what an update gets


def delayed_sign(batch: int, length: int, lag: int, seed: int = SEED) -> DelayedSign:
    """Draw float64 sequences whose target is the sign `lag` steps before the last."""
    if not 0 <= lag < length:
        raise ValueError(f"lag {lag} does not fit into {length} steps: pass 0 <= lag < length")
    generator = torch.Generator().manual_seed(seed)
    signs = torch.randint(0, 2, (length, batch, 1), generator=generator).double() * 2 - 1
    return DelayedSign(signs, (signs[length - 1 - lag, :, 0] + 1) / 2)


def shuffle_targets(data: DelayedSign, seed: int = SEED) -> DelayedSign:
    """Shuffle the targets between sequences: the same numbers, but nothing left to learn."""
    generator = torch.Generator().manual_seed(seed)
    return DelayedSign(data.x, data.y[torch.randperm(len(data.y), generator=generator)])


@torch.no_grad()
def gradient_profile(network: Network, data: DelayedSign, readout: Tensor) -> Profile:
    """Return the profile of J = cross-entropy of sigmoid(readout . h_T) against the target."""
    run = trace(network, data.x)
    p = torch.sigmoid(run.states[-1] @ readout)
    loss_gradient = (p - data.y).unsqueeze(-1) * readout  # (B, H)
    gradients = gradients_by_lag(run, loss_gradient)  # (T, B, H)
    deltas = gradients * run.slopes.flip(0)
    terms = torch.einsum("tbi,tbd->tid", deltas, data.x.flip(0)) / len(p)
    return Profile(gradients.norm(dim=-1).mean(dim=1), terms.flatten(1).norm(dim=1))
