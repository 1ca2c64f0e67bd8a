"""Tell whether weights are still those that something was made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import torch
from torch import Tensor

BOTH_WAYS = 2**20  # matrices of so many numbers are summed along columns too
SAMPLED = 64  # of larger ones about so many numbers are compared one by one


class Fingerprint:
    """Where weights lie, how often they were changed, and what their numbers sum up to.

    PyTorch counts no change when `.data` or a NumPy view is written: the sums show it. Only what
    leaves every sum as it was stays unseen, such as two columns exchanged in a very large matrix.
    """

    def __init__(self, weights: Iterable[Tensor]):
        weights = [weight.detach() for weight in weights]
        self.marks = [_mark(weight) for weight in weights]
        self.traces = torch.cat([trace for weight in weights for trace in _traces(weight)])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Fingerprint) or self.marks != other.marks:
            return False
        return self.traces.is_meta or torch.equal(self.traces, other.traces)

    __hash__ = None


def _mark(weight: Tensor) -> tuple:
    version = 0 if weight.is_inference() else weight._version  # grows with every change in place
    return weight.data_ptr(), version, weight.dtype, weight.device


def _traces(weight: Tensor) -> Iterator[Tensor]:
    """Yield a vector as it is, and of a matrix sums of its rows and columns."""
    if weight.ndim < 2:
        yield weight.clone()
        return
    rows = weight.flatten(1)
    enough = torch.promote_types(weight.dtype, torch.float32)
    yield rows.sum(dim=1, dtype=enough)
    if rows.numel() <= BOTH_WAYS:
        yield rows.sum(dim=0, dtype=enough)
    else:
        yield rows.flatten()[:: rows.numel() // SAMPLED | 1]
