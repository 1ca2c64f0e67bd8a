"""How often an answer is right, with the interval that so few questions allow."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple, TypeVar

from torch import Tensor

from course_utils.data.agreement.item import AgreementItem

Z = 1.96  # 95%
Key = TypeVar("Key", bound=Hashable)


class Rate(NamedTuple):
    """A share of right answers, and the interval (95%, Wilson 1927) in which the truth may lie."""

    value: float
    low: float
    high: float
    asked: int

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f}, n = {self.asked})"


def rate(rights: Tensor) -> Rate:
    """Return the rate of a row of 0 and 1 (a half counts a half)."""
    n = len(rights)
    if n == 0:
        raise ValueError("no question was asked: there is no rate")
    p = rights.double().mean().item()
    middle = (p + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z * (p * (1 - p) / n + (Z / (2 * n)) ** 2) ** 0.5 / (1 + Z**2 / n)
    return Rate(p, max(0.0, middle - half), min(1.0, middle + half), n)


def rates_by(
    items: Sequence[AgreementItem], rights: Tensor, key: Callable[[AgreementItem], Key]
) -> dict[Key, Rate]:
    """Return the rate of every group that `key` makes, in the order in which they come.

    `key` says what of an item counts: `lambda item: item.construction`, or its distance.
    """
    groups: dict[Key, list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        groups[key(item)].append(place)
    return {name: rate(rights[places]) for name, places in groups.items()}
