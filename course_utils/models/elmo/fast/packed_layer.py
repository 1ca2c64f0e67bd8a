"""One projected LSTM for the fast way: packed weights, hoisted input products, in-place steps."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from course_utils.models.elmo.fast.product import Product
from course_utils.models.elmo.projected_lstm import FORGET_BIAS, ProjectedLSTM

CHUNK_ROWS = 256  # tokens whose input products are made at once: enough for speed, small in memory
TABLE_NUMBERS = 2**25  # a table of input products per word may hold so many numbers


class PackedLayer:
    """One projected LSTM, its rows in the order i f o g."""

    def __init__(self, lstm: ProjectedLSTM):
        W, U, b, V = (None if w is None else w.detach() for w in lstm.weights)
        self.lstm = lstm  # its clips are read when they are used
        self.input = Product(_reordered(W), _reordered(_with_forget_bias(b)))
        self.recurrent = Product(_reordered(U))
        self.project = None if V is None else Product(2 * V)
        self.width = len(b)

    def from_words(self, vectors: Tensor, words: Tensor, counts: list[int]) -> Iterator[Tensor]:
        """Yield each step's input products, computed once for each different word."""
        if len(vectors) * self.width > TABLE_NUMBERS or len(vectors) >= len(words):
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
        cell_clip, proj_clip, outputs = self.lstm.cell_clip, self.lstm.proj_clip, []
        for n, a in zip(counts, inputs, strict=True):
            a = self.recurrent.plus(h[:n], a).sigmoid_()  # (n, 4C)
            i, f, o, g = a.chunk(4, dim=1)  # g stands for (tanh + 1) / 2
            c_n = c[:n]
            c_n.mul_(f).sub_(i).addcmul_(i, g, value=2)
            if cell_clip is not None:
                c_n.clamp_(-cell_clip, cell_clip)
            m = (c_n + c_n).sigmoid_().sub_(0.5).mul_(o)  # (n, C), o tanh(c) / 2
            out = m.mul_(2) if self.project is None else self.project(m)  # (n, P)
            if proj_clip is not None and self.project is not None:
                out.clamp_(-proj_clip, proj_clip)
            h[:n] = out
            outputs.append(out)
        return (torch.cat(outputs).to(h) if outputs else h), h


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
