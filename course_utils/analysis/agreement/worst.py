"""The worst of many: how large is the largest of N effects if none of them is real?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.analysis.agreement.rates import verbs_of
from course_utils.data.agreement.item import AgreementItem

FLIPS = 1000


class Worst(NamedTuple):
    """The unit whose loss hurts most, and how often chance alone produces as large a drop."""

    unit: int
    drop: float  # in the rate of right answers
    luck: Tensor  # (flips,) the largest drop of all units under random signs
    p: float


def chance_of_worst(
    rights: Tensor,
    without: Tensor,
    items: Sequence[AgreementItem] | None = None,
    flips: int = FLIPS,
    seed: int = 0,
) -> Worst:
    """Test the largest drop of N units against the largest of N drops that are luck.

    `rights` (N,) are the answers of the whole model, `without` (units, N) those without each
    unit. If a unit were useless, losing it would help an item as often as harm it. So the sign of
    the changes on each item is redrawn (the same for all units, which keeps what they share), and
    the largest mean drop is recorded. Given the items, all that ask for the same verb share one
    sign: they are not independent. p = (1 + number as large or larger) / (1 + flips).
    """
    drops = rights.double() - without.double()  # (units, N)
    means = drops.mean(dim=1)
    unit = int(means.argmax())
    generator = torch.Generator().manual_seed(seed)
    lot = torch.arange(drops.shape[1]) if items is None else verbs_of(items)
    lots = int(lot.max()) + 1
    signs = torch.randint(0, 2, (flips, lots), generator=generator).double() * 2 - 1
    luck = (signs[:, lot] @ drops.T / drops.shape[1]).amax(dim=1)
    as_large = int((luck >= means[unit] - 1e-12).sum())
    return Worst(unit, means[unit].item(), luck, (1 + as_large) / (1 + flips))
