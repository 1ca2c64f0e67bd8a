"""Three tasks that ask the same thing: what does a network still know about a step long ago?

Every task draws a batch from a generator, so that a seed determines it, and knows the score of a
network that remembers nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor


class MemoryBatch(NamedTuple):
    """Sequences (T, B, D) and the answers to predict."""

    x: Tensor
    y: Tensor


@dataclass(frozen=True)
class DelayedRecall:
    """A marked sign at the first step, then `lag` random signs: which one was it?"""

    lag: int
    inputs = 2  # a sign, and a mark on the one to remember
    outputs = 2

    @property
    def chance(self) -> float:
        """Return the accuracy of guessing."""
        return 1 / 2

    def draw(self, batch: int, generator: torch.Generator) -> MemoryBatch:
        """Return x of lag + 1 steps and y (B,), 0 or 1."""
        bits = torch.randint(0, 2, (self.lag + 1, batch), generator=generator)
        x = torch.zeros(self.lag + 1, batch, 2, dtype=torch.float32)
        x[..., 0] = 2 * bits - 1
        x[0, :, 1] = 1
        return MemoryBatch(x, bits[0])


@dataclass(frozen=True)
class Adding:
    """Two of `length` random numbers are marked, one in either half: what is their sum?

    After Hochreiter and Schmidhuber (1997), with numbers in [0, 1] as in Le et al. (2015).
    """

    length: int
    inputs = 2  # a number, and the mark
    outputs = 1

    @property
    def chance(self) -> float:
        """Return the mean squared error of always answering 1, the mean of the sums."""
        return 1 / 6

    def draw(self, batch: int, generator: torch.Generator) -> MemoryBatch:
        """Return x and the sums y (B,)."""
        half, row = self.length // 2, torch.arange(batch)
        x = torch.zeros(self.length, batch, 2, dtype=torch.float32)
        x[..., 0] = torch.rand(self.length, batch, generator=generator, dtype=torch.float32)
        x[torch.randint(0, half, (batch,), generator=generator), row, 1] = 1
        x[torch.randint(half, self.length, (batch,), generator=generator), row, 1] = 1
        return MemoryBatch(x, (x[..., 0] * x[..., 1]).sum(0))


@dataclass(frozen=True)
class Copy:
    """`items` symbols, a pause, a signal at every further step: give them back in order.

    After Hochreiter and Schmidhuber (1997) and Arjovsky et al. (2016), with fewer symbols.
    """

    pause: int
    items: int = 5
    symbols: int = 4

    @property
    def inputs(self) -> int:
        """Return one input a symbol, and one each for the pause and the signal."""
        return self.symbols + 2

    @property
    def outputs(self) -> int:
        """Return one output a symbol."""
        return self.symbols

    @property
    def chance(self) -> float:
        """Return the accuracy of guessing."""
        return 1 / self.symbols

    def draw(self, batch: int, generator: torch.Generator) -> MemoryBatch:
        """Return x of 2 * items + pause steps and y (items, B), asked of the last steps."""
        y = torch.randint(0, self.symbols, (self.items, batch), generator=generator)
        pause = torch.full((self.pause, batch), self.symbols)
        signal = torch.full((self.items, batch), self.symbols + 1)
        tokens = torch.cat([y, pause, signal])  # (T, B)
        return MemoryBatch(torch.nn.functional.one_hot(tokens, self.inputs).float(), y)


Task = DelayedRecall | Adding | Copy
