"""Train P networks as one for as long as their validation sentences ask for; one rule for all.

At 25, 50, 100, ... steps a network answers with the mean of its last weights (of the last quarter
of the steps: what a falling rate would do, without an end that must be known). The answer
that counts is the best one on the validation sentences. Training ends when none of the networks
has had its best one among the last two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.training.batched.together import Adam
from course_utils.training.race.using_elmo.networks import Mixing

FIRST = 25
WARM = 20  # steps
PATIENCE = 2  # doublings


class Asked(NamedTuple):
    """What P networks get right, as shares of the two parts."""

    valid: Tensor  # (P,)
    test: Tensor  # (P,)


class Check(NamedTuple):
    """The answers after so many steps, and the shares of the mix."""

    steps: int
    asked: Asked
    mix: Tensor | None  # (P, L + 1)


def converge(
    networks: Mixing,
    loss_of: Callable[[int], Tensor],
    ask: Callable[[], Asked],
    most: int,
    rate: float,
) -> list[Check]:
    """Return the checks; `loss_of(number)` gives one loss for each network."""
    rates = torch.full((len(networks.rows),), rate)
    adam, checks = Adam(networks.rows, rates), list[Check]()
    total, count, check = torch.zeros_like(networks.rows.data), 0, FIRST
    for number in range(1, most + 1):
        adam.rates = (rates * min(1.0, number / WARM))[:, None]
        networks.rows.grad = None
        loss_of(number - 1).sum().backward()
        adam.step()
        if number > 0.75 * check:
            total += networks.rows.data
            count += 1
        if number == check:
            checks.append(_checked(networks, total / count, ask, number))
            total, count, check = torch.zeros_like(total), 0, 2 * check
            if finished(checks):
                break
    return checks


def best_of(checks: list[Check]) -> Tensor:
    """Return for each network which check is best on its validation sentences; ties: the first."""
    return torch.stack([check.asked.valid for check in checks]).argmax(dim=0)


def finished(checks: list[Check]) -> bool:
    """Return whether no network had its best check among the last two."""
    return int(best_of(checks).max()) < len(checks) - PATIENCE


@torch.no_grad()
def _checked(networks: Mixing, mean: Tensor, ask: Callable[[], Asked], steps: int) -> Check:
    """Ask with the mean of the weights, then put back those that learn on."""
    learning = networks.rows.data
    networks.rows.data = mean
    mix = networks.shares(networks.places[0]).clone() if networks.places else None
    found = Check(steps, ask(), mix)
    networks.rows.data = learning
    return found
