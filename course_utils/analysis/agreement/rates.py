"""How often answers are right, with a confidence interval for this number of questions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple, TypeVar

import torch
from torch import Tensor

from course_utils.data.agreement.item import AgreementItem

Z = 1.96  # 95%
Key = TypeVar("Key", bound=Hashable)


class Rate(NamedTuple):
    """A share of right answers, with its 95% confidence interval (Wilson 1927).

    The interval covers the choice of items and verbs, not the variation between training runs.
    """

    value: float
    low: float
    high: float
    asked: int

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f}, n = {self.asked})"


def rate(rights: Tensor, items: Sequence[AgreementItem] | None = None) -> Rate:
    """Return the rate of a row of 0s and 1s (a half counts as a half).

    Given the items, those that ask for the same verb form a cluster: a model that knows the verb,
    or prefers one of its forms, gets many of them right or wrong at once. The interval is wider.
    """
    n = len(rights)
    if n == 0:
        raise ValueError("no question was asked, so there is no rate: pass at least one answer")
    p = rights.double().mean().item()
    worth = n if items is None else _worth(rights.double() - p, items)
    middle = (p + Z**2 / (2 * worth)) / (1 + Z**2 / worth)
    half = Z * (p * (1 - p) / worth + (Z / (2 * worth)) ** 2) ** 0.5 / (1 + Z**2 / worth)
    return Rate(p, max(0.0, middle - half), min(1.0, middle + half), n)


def _worth(off: Tensor, items: Sequence[AgreementItem]) -> float:
    """Return the effective number of independent questions, from the answers' deviations.

    It is n over the design effect (Kish 1965), and at least the number of verbs. If all answers are
    the same, nothing shows how much those for one verb have in common, and it is n.
    """
    verb = verbs_of(items)
    n, verbs = len(items), int(verb.max()) + 1
    if not off.any():
        return n
    if verbs == 1:
        return 1
    together = off.new_zeros(verbs).index_add_(0, verb, off).square().sum()
    effect = (together / off.square().sum() * verbs / (verbs - 1)).item()
    return max(verbs, n / max(effect, 1.0))


def verbs_of(items: Sequence[AgreementItem]) -> Tensor:
    """Return a number for the verb of each item, counted from 0 (N,)."""
    numbers: dict[frozenset[str], int] = {}
    pairs = (frozenset({item.right, item.wrong}) for item in items)
    return torch.tensor([numbers.setdefault(pair, len(numbers)) for pair in pairs])


def rates_by(
    items: Sequence[AgreementItem], rights: Tensor, key: Callable[[AgreementItem], Key]
) -> dict[Key, Rate]:
    """Return the rate of every group, in order of appearance.

    `key` maps an item to its group: `lambda item: item.construction`, or its distance.
    """
    groups: dict[Key, list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        groups[key(item)].append(place)
    return {
        name: rate(rights[places], [items[place] for place in places])
        for name, places in groups.items()
    }
