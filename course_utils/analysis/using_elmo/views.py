"""What a biLM knows about a hidden word: from the left, from the right, from both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.models.elmo import BiLanguageModel
from course_utils.models.elmo.batch import frame
from course_utils.models.elmo.state import zero_state
from course_utils.settings import UNKNOWN

AT_ONCE = 32


class GapScores(NamedTuple):
    """Perplexity of words in their gaps; unknown words are not asked for."""

    left: float
    right: float
    both: float  # the two views combined by Bayes' rule, without any training
    words: int


@torch.no_grad()
def gap_scores(
    model: BiLanguageModel, sentences: Sequence[Sequence[str]], alone: Tensor
) -> GapScores:
    """Ask for every word of the sentences; `alone` (V,) is log p(w) without any context."""
    nats, words, P = torch.zeros(3, dtype=torch.double), 0, model.bilm.options.projection
    for first in range(0, len(sentences), AT_ONCE):
        some = [list(sentence) for sentence in sentences[first : first + AT_ONCE]]
        start = zero_state(model.bilm.options, len(some), model.softmax.weight)
        top = model.bilm.read(frame(some), start)[0][-1]  # (T + 2, B, 2P)
        for b, sentence in enumerate(some):
            gold = model.numbers(sentence)
            T, asked = len(sentence), gold != model.number[UNKNOWN]
            ahead = model.softmax(top[:T, b, :P]).log_softmax(dim=-1)[asked]
            back = model.softmax(top[2 : T + 2, b, P:]).log_softmax(dim=-1)[asked]
            together = (ahead + back - alone).log_softmax(dim=-1)
            rows, gold = torch.arange(int(asked.sum())), gold[asked]
            nats -= torch.stack([v[rows, gold].sum() for v in (ahead, back, together)]).double()
            words += len(gold)
    left, right, both = (nats / words).exp().tolist()
    return GapScores(left, right, both, words)
