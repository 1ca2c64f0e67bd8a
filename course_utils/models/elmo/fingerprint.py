"""Tell whether weights are still those that something was made from."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

SAMPLED = 64  # about so many numbers of each weight are compared one by one


class Fingerprint:
    """Where weights lie, how often they were changed, the sum of their bits and some of them.

    Where PyTorch counts no change, as when `.data` or a NumPy view is written, the bits tell.
    """

    def __init__(self, weights: Iterable[Tensor]):
        weights = [weight.detach() for weight in weights]
        self.marks = [_mark(weight) for weight in weights]
        flat = [weight.reshape(-1) for weight in weights]
        self.sums = torch.stack([_sum_of_bits(weight) for weight in flat])
        # numbers that only changed places: an odd step does not always meet the same column
        self.sample = torch.cat([weight[:: weight.numel() // SAMPLED | 1] for weight in flat])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Fingerprint) or self.marks != other.marks:
            return False
        if self.sums.is_meta:
            return True
        return torch.equal(self.sums, other.sums) and torch.equal(self.sample, other.sample)

    __hash__ = None


def _mark(weight: Tensor) -> tuple:
    version = 0 if weight.is_inference() else weight._version  # grows with every change in place
    return weight.data_ptr(), version, weight.dtype, weight.device


def _sum_of_bits(flat: Tensor) -> Tensor:
    """Return the sum of a weight's bits as whole numbers: exact, and fast in words of 64 bits."""
    whole = len(flat) - len(flat) % (8 // flat.itemsize)
    words, rest = flat[:whole], flat[whole:]
    if words.storage_offset() * words.itemsize % 8:
        words = words.clone()  # a view that begins within a word
    return words.view(torch.int64).sum() + rest.contiguous().view(torch.uint8).sum()
