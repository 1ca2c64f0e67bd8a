"""The worst of many: how large is the largest of N effects when none is real?"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

FLIPS = 1000


class Worst(NamedTuple):
    """The unit whose loss hurts most, and how often luck does as well among as many units."""

    unit: int
    drop: float  # of the rate of right answers
    luck: Tensor  # (flips,) the largest drop of all units, signs dealt out at random
    p: float


def chance_of_worst(rights: Tensor, without: Tensor, flips: int = FLIPS, seed: int = 0) -> Worst:
    """Test the largest drop of N units against the largest of N drops that are luck.

    `rights` (N,) are the answers of the whole model, `without` (units, N) those without each
    unit. Were a unit of no use, its loss would as soon help an item as harm it: the sign of all
    changes on an item is drawn anew (for all units alike, so that what they share is kept), and
    the largest mean drop is noted. p = (1 + as large or larger) / (1 + flips).
    """
    drops = rights.double() - without.double()  # (units, N)
    means = drops.mean(dim=1)
    unit = int(means.argmax())
    generator = torch.Generator().manual_seed(seed)
    signs = torch.randint(0, 2, (flips, drops.shape[1]), generator=generator).double() * 2 - 1
    luck = (signs @ drops.T / drops.shape[1]).amax(dim=1)
    as_large = int((luck >= means[unit] - 1e-12).sum())
    return Worst(unit, means[unit].item(), luck, (1 + as_large) / (1 + flips))
