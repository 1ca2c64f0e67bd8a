"""The two networks of lecture 08: a label for every word, and a label for the whole sentence."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from course_utils.models.elmo.options import Options
from course_utils.models.tagging.batch import Batch
from course_utils.models.tagging.coding import Coder
from course_utils.models.tagging.encoder import Encoder
from course_utils.models.tagging.inputs import WordInput
from course_utils.models.tagging.pooling import Pooling
from course_utils.settings import IGNORED


class Reader(nn.Module):
    """Input, encoder, and a readout of the encoder's output (and of `late` vectors)."""

    def __init__(
        self,
        labels: int,
        words: int = 0,
        width: int = 64,
        hidden: int = 64,
        layers: int = 1,
        cell: str = "lstm",
        direction: str = "both",
        dropout: float = 0.0,
        spelling: Options | None = None,
        given: int = 0,
        late: int = 0,
    ):
        super().__init__()
        self.input = WordInput(words, width, spelling, given)
        self.encoder = Encoder(self.input.width, hidden, layers, cell, direction, dropout)
        self.late = late
        self.coder: Coder | None = None  # the words and labels that a trained network knows
        self.output = nn.Linear(hidden + late, labels)

    def encode(self, batch: Batch) -> Tensor:
        """Return (B, T, H), the encoder's vectors concatenated with the `late` ones."""
        return self.read_on(self.input(batch), batch)

    def read_on(self, x: Tensor, batch: Batch) -> Tensor:
        """Return what `encode` does, from input vectors that are already known."""
        h: Tensor = self.encoder.dropout(self.encoder(x, batch.lengths))
        if not self.late:
            return h
        if batch.late is None or batch.late.shape[-1] != self.late:
            raise ValueError(f"this network takes late vectors {self.late} wide: give them")
        return torch.cat([h, batch.late * batch.mask.unsqueeze(-1)], dim=-1)


class Tagger(Reader):
    """Logits (B, T, labels): what each word is."""

    def forward(self, batch: Batch) -> Tensor:
        """Return the logits of every word; those of padding mean nothing."""
        logits: Tensor = self.output(self.encode(batch))
        return logits

    def loss(self, batch: Batch) -> Tensor:
        """Return the mean of -log p(label) over all words that have one."""
        assert batch.labels is not None
        logits = self(batch).flatten(0, 1)
        return cross_entropy(logits, batch.labels.flatten(), ignore_index=IGNORED)


class Reading(NamedTuple):
    """A classifier's answer, and how much each word contributed."""

    logits: Tensor  # (B, labels)
    weights: Tensor  # (B, T), the pooling's
    pooled: Tensor  # (B, H)


class Classifier(Reader):
    """Logits (B, labels): what each sentence is, by one of four ways of pooling its words."""

    def __init__(self, labels: int, *, pooling: str = "attention", **sizes: object):
        super().__init__(labels, **sizes)  # type: ignore[arg-type]  # those of Reader
        if pooling == "last" and self.late:
            raise ValueError("late vectors have no last state: pool by mean, max or attention")
        self.pooling = Pooling(pooling, self.output.in_features, self.encoder.direction)

    def forward(self, batch: Batch) -> Tensor:
        """Return the logits of every sentence."""
        return self.read(batch).logits

    def read(self, batch: Batch) -> Reading:
        """Return the logits, and how much each word weighs in the pooling."""
        return self.pool(self.encode(batch), batch.lengths)

    def pool(self, h: Tensor, lengths: Tensor) -> Reading:
        """Return the answer from encoded words."""
        pooled, weights = self.pooling(h, lengths)
        return Reading(self.output(pooled), weights, pooled)

    def loss(self, batch: Batch) -> Tensor:
        """Return the mean of -log p(label)."""
        assert batch.labels is not None
        return cross_entropy(self(batch), batch.labels)
