"""Sentences a second of taggers and classifiers, against packed loops of bare PyTorch."""

from __future__ import annotations

from functools import partial

import torch
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from course_utils.data.tagging import era_task, grammar_task
from course_utils.models.tagging import Batch
from course_utils.settings import IGNORED
from course_utils.training import fit
from course_utils.training.losses import Loss
from course_utils.training.tagging import Bucketed, Sizes, TokenTask, make_network
from tests.benchmarks.measure import Row, speedup

STEPS, WIDTH, HIDDEN = 60, 32, 64  # so many steps that beginning and ending a run do not count
SIZES = Sizes(width=WIDTH, hidden=HIDDEN, dropout=0.0, pooling="mean")
TIMING = {"repeats": 7}


class Packed(nn.Module):
    """The same tagger or classifier as one would write it: packed, of nothing but torch.nn."""

    def __init__(self, words: int, labels: int, whole: bool):
        super().__init__()
        self.embedding = nn.Embedding(words, WIDTH)
        self.recurrent = nn.LSTM(WIDTH, HIDDEN // 2, bidirectional=True, batch_first=True)
        self.output = nn.Linear(HIDDEN, labels)
        self.whole = whole

    def loss(self, batch: Batch) -> torch.Tensor:
        x, n = self.embedding(batch.tokens), batch.lengths
        packed = pack_padded_sequence(x, n, batch_first=True, enforce_sorted=False)
        h = pad_packed_sequence(self.recurrent(packed)[0], batch_first=True)[0]
        if self.whole:
            return cross_entropy(self.output(h.sum(1) / n[:, None]), batch.labels)
        logits = self.output(h).flatten(0, 1)
        return cross_entropy(logits, batch.labels.flatten(), ignore_index=IGNORED)


def rows() -> list[Row]:
    """Measure our network in our loop, the plain one in a plain loop, and what buckets bring."""
    grammar, era = grammar_task(1000, 50), era_task().first(1000)
    found = []
    for task in (grammar, era):
        known = TokenTask.of(task, SIZES)
        ours = make_network(known, SIZES)
        whole = task.kind == "classification"
        plain = Packed(len(known.words), len(task.labels), whole)
        batches = [_batches(known, bucketed) for bucketed in (True, False)]
        name = "classifier" if whole else "tagger"
        found += [
            speedup(f"{name}: fit / bare loop, same network", partial(_fit, ours, batches[0]),
                    partial(_bare, ours, batches[0]), ">= 0.97", **TIMING),
            speedup(f"{name}: fit / bare loop, packed nn.LSTM", partial(_fit, ours, batches[0]),
                    partial(_bare, plain, batches[0]), ">= 0.97", **TIMING),
            speedup(f"{name}: bucketed / as they come", partial(_bare, ours, batches[0]),
                    partial(_bare, ours, batches[1]), **TIMING),
            speedup(f"{name}, packed: bucketed / as they come", partial(_bare, plain, batches[0]),
                    partial(_bare, plain, batches[1]), **TIMING),
        ]  # fmt: skip
    return found


def _batches(known: TokenTask, bucketed: bool) -> list[Batch]:
    """Return as many batches of every length as there are steps, made beforehand."""
    draw = Bucketed(known.task.train, known.coder, known.task.kind, 32, 0, bucketed)
    return [draw(n) for n in range(STEPS)]


def _fit(model: nn.Module, batches: list[Batch]) -> None:
    fit(model, batches, lambda net, batch: Loss(net.loss(batch), len(batch.lengths)),
        steps=STEPS, device="cpu", progress=False)  # fmt: skip


def _bare(model: nn.Module, batches: list[Batch]) -> None:
    optimizer = torch.optim.Adam(model.parameters())
    for batch in batches:
        optimizer.zero_grad()
        loss = model.loss(batch)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        loss.item()
