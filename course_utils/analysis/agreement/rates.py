"""How often an answer is right, with the interval that so few questions allow."""

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
    """A share of right answers, and the interval (95%, Wilson 1927) in which the truth may lie.

    It is the chance of other items and verbs. Another training run is another matter.
    """

    value: float
    low: float
    high: float
    asked: int

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f}, n = {self.asked})"


def rate(rights: Tensor, items: Sequence[AgreementItem] | None = None) -> Rate:
    """Return the rate of a row of 0 and 1 (a half counts a half).

    Given its items, those that ask for one verb count as one lot: who knows the verb, or likes one
    of its forms, is right or wrong about many of them at once, and the interval is wider.
    """
    n = len(rights)
    if n == 0:
        raise ValueError("no question was asked: there is no rate")
    p = rights.double().mean().item()
    worth = n if items is None else _worth(rights.double() - p, items)
    middle = (p + Z**2 / (2 * worth)) / (1 + Z**2 / worth)
    half = Z * (p * (1 - p) / worth + (Z / (2 * worth)) ** 2) ** 0.5 / (1 + Z**2 / worth)
    return Rate(p, max(0.0, middle - half), min(1.0, middle + half), n)


def _worth(off: Tensor, items: Sequence[AgreementItem]) -> float:
    """Return how many independent questions these are worth, from how far answers are off the mean.

    It is n over the design effect (Kish 1965), and at least the number of verbs. Where all answers
    are alike nothing tells how much those of one verb have in common: there it is n.
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
    """Return the rate of every group that `key` makes, in the order in which they come.

    `key` says what of an item counts: `lambda item: item.construction`, or its distance.
    """
    groups: dict[Key, list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        groups[key(item)].append(place)
    return {
        name: rate(rights[places], [items[place] for place in places])
        for name, places in groups.items()
    }
