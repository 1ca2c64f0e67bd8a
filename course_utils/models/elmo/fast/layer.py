"""One projected LSTM made of packed products: hoisted inputs, in-place steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from course_utils.models.elmo.projected_lstm import FORGET_BIAS, ProjectedLSTM
from course_utils.models.layers.products import Product

CHUNK_ROWS = 256  # tokens whose input products are made at once: enough for speed, small in memory
TABLE_NUMBERS = 2**25  # a table of input products per word holds at most this many numbers


@dataclass(frozen=True)
class PackedLayer:
    """One projected LSTM, its rows in the order i f o g."""

    input: Product
    recurrent: Product
    project: Product | None  # None where nothing projects
    cell_clip: float | None
    proj_clip: float | None

    @classmethod
    def of(cls, lstm: ProjectedLSTM) -> PackedLayer:
        """Pack a layer."""
        W, U, b, V = lstm.weights
        return cls(
            Product(_reordered(W), _reordered(_with_forget_bias(b))),
            Product(_reordered(U)),
            None if V is None else Product(2 * V),
            lstm.cell_clip,
            None if V is None else lstm.proj_clip,
        )

    def to(self, *place: object, **places: object) -> PackedLayer:
        """Return it on another device, or in another number type."""
        return replace(
            self,
            input=self.input.to(*place, **places),
            recurrent=self.recurrent.to(*place, **places),
            project=None if self.project is None else self.project.to(*place, **places),
        )

    def weights(self) -> Iterator[Tensor]:
        """Yield all weights as they are used, unpacked."""
        for part in (self.input, self.recurrent, self.project):
            if part is not None:
                yield from part.weights()

    def from_words(self, vectors: Tensor, words: Tensor, counts: list[int]) -> Iterator[Tensor]:
        """Yield each step's input products, computed once for each different word."""
        if len(vectors) * self.input.width > TABLE_NUMBERS or len(vectors) >= len(words):
            for first, last, steps in _chunks(counts):
                yield from self.input(vectors[words[first:last]]).split(steps)
            return
        table = self.input(vectors)  # (N, 4C)
        for part in words.split(counts):
            yield table.index_select(0, part)

    def from_rows(self, x: Tensor, counts: list[int]) -> Iterator[Tensor]:
        """Yield each step's input products from the layer below, x (S, P)."""
        for first, last, steps in _chunks(counts):
            yield from self.input(x[first:last]).split(steps)

    def run(
        self, inputs: Iterator[Tensor], counts: list[int], h: Tensor, c: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the output of all steps (S, P) and the last h; c becomes the last c in place."""
        outputs = []
        for n, a in zip(counts, inputs, strict=True):
            a = self.recurrent.plus(h[:n], a).sigmoid_()  # (n, 4C)
            i, f, o, g = a.chunk(4, dim=1)  # g stands for (tanh + 1) / 2
            c_n = c[:n]
            c_n.mul_(f).sub_(i).addcmul_(i, g, value=2)
            if self.cell_clip is not None:
                c_n.clamp_(-self.cell_clip, self.cell_clip)
            m = (c_n + c_n).sigmoid_().sub_(0.5).mul_(o)  # (n, C), o tanh(c) / 2
            out = m.mul_(2) if self.project is None else self.project(m)  # (n, P)
            if self.proj_clip is not None:
                out.clamp_(-self.proj_clip, self.proj_clip)
            h[:n] = out
            outputs.append(out)
        return (torch.cat(outputs) if outputs else h), h


def _reordered(weight: Tensor) -> Tensor:
    """Return rows i f g o as i f o g, those of g doubled."""
    i, f, g, o = weight.chunk(4)
    return torch.cat([i, f, o, 2 * g])


def _with_forget_bias(bias: Tensor) -> Tensor:
    i, f, g, o = bias.chunk(4)
    return torch.cat([i, f + FORGET_BIAS, g, o])


def _chunks(counts: list[int]) -> Iterator[tuple[int, int, list[int]]]:
    """Yield first row, last row and rows per step of groups of steps with enough rows."""
    first, steps = 0, []
    for n in counts:
        steps.append(n)
        if sum(steps) >= CHUNK_ROWS:
            yield first, first + sum(steps), steps
            first, steps = first + sum(steps), []
    if steps:
        yield first, first + sum(steps), steps
