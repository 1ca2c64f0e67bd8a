"""Packed products, and one projected LSTM made of them: hoisted inputs, in-place steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import linear

from course_utils.models.elmo.projected_lstm import FORGET_BIAS, ProjectedLSTM
from course_utils.models.layers.autocast import without_autocast
from course_utils.models.layers.onednn import onednn_product, onednn_takes

CHUNK_ROWS = 256  # tokens whose input products are made at once: enough for speed, small in memory
TABLE_NUMBERS = 2**25  # a table of input products per word holds at most this many numbers


class Product:
    """x W^T + b, or x W^T + something given; W is a copy, in oneDNN's layout where it can be."""

    ROWS = 32  # the batch for which oneDNN is asked to lay the weight out

    def __init__(self, weight: Tensor, bias: Tensor | None = None):
        self.bias = None if bias is None else bias.detach().clone()
        with without_autocast(weight):
            self.packed = onednn_takes(weight)
        if self.packed:
            weight = weight.detach().contiguous()
            self.weight = torch.ops.mkldnn._reorder_linear_weight(weight, self.ROWS)
        else:
            self.weight = weight.detach().clone()

    def __call__(self, x: Tensor) -> Tensor:
        if self.packed:
            return onednn_product(x, self.weight, self.bias)
        return linear(x, self.weight, self.bias)

    def __reduce__(self) -> tuple[type[Product], tuple[Tensor, ...]]:
        """Copy and pickle the plain numbers: oneDNN's layout is this processor's own."""
        return Product, tuple(self.weights())

    def plus(self, x: Tensor, other: Tensor) -> Tensor:
        """Return x W^T + other."""
        if self.packed:
            summed = torch.ops.mkldnn._linear_pointwise.binary
            out: Tensor = summed(x, other, self.weight, None, "add")
            return out
        return torch.addmm(other, x, self.weight.t())

    def to(self, *place: Any, **places: Any) -> Product:
        """Return it elsewhere, or in another number type."""
        return Product(*(weight.to(*place, **places) for weight in self.weights()))

    @property
    def width(self) -> int:
        """Return how many numbers come out for each row."""
        return len(self.weight)

    def weights(self) -> Iterator[Tensor]:
        """Yield W, and b where there is one."""
        yield self.weight.to_dense() if self.packed else self.weight
        if self.bias is not None:
            yield self.bias


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

    def to(self, *place: Any, **places: Any) -> PackedLayer:
        """Return it elsewhere, or in another number type."""
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
