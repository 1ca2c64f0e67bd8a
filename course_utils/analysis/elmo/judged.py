"""Evaluate a biLM: against n-grams on equal terms, and in gaps from either side and from both."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.models import NGramLM
from course_utils.models.elmo import BOS, EOS, BiLanguageModel
from course_utils.models.elmo.batch import frame
from course_utils.models.elmo.language import in_order
from course_utils.models.elmo.state import zero_state

Text = Sequence[Sequence[str]]  # sentences
SIDES = ("left", "right", "both")


class Filled(NamedTuple):
    """What is expected in one place of a sentence: log p of every word of the softmax, (V,)."""

    left: Tensor
    right: Tensor
    both: Tensor


class GapScores(NamedTuple):
    """Over many gaps: the perplexity of the missing word, and how often it was ranked first."""

    perplexity: dict[str, float]
    first: dict[str, float]
    gaps: int


def count_ngrams(model: BiLanguageModel, texts: Sequence[Text], order: int, way: int) -> NGramLM:
    """Count texts as one direction reads them, in the words of the model's own softmax."""
    streams = [model.numbers(in_order(text, way)) for text in texts]
    return NGramLM(len(model.words), order).fit(torch.cat(streams))


def counted_perplexity(
    ngram: NGramLM, model: BiLanguageModel, texts: Sequence[Text], way: int
) -> float:
    """Return an n-gram's perplexity on exactly the questions that `model.perplexity` asks."""
    nats, count = 0.0, 0
    begins = model.number[EOS if way else BOS]  # nobody is asked whether a sentence begins
    for text in texts:
        ids = model.numbers(in_order(text, way))
        asked = ids[1:] != begins
        nats -= ngram.log_probs(ids)[asked].sum().item()
        count += int(asked.sum())
    return math.exp(nats / count)


def log_shares(model: BiLanguageModel, texts: Sequence[Text]) -> Tensor:
    """Return log p of every word of the softmax without any context, (V,), one added to each."""
    counts = word_counts(model, texts) + 1.0
    return counts.log() - counts.sum().log()


def word_counts(model: BiLanguageModel, texts: Sequence[Text]) -> Tensor:
    """Return how often every word of the softmax stands in some texts, (V,), boundaries too."""
    numbers = torch.cat([model.numbers(in_order(text, 0)) for text in texts])
    return torch.bincount(numbers, minlength=len(model.words))


@torch.no_grad()
def fill(model: BiLanguageModel, tokens: Sequence[str], shares: Tensor) -> list[Filled]:
    """Return for each place what is expected from its left, from its right, and from both.

    p(w | left, right) is proportional to p(w | left) p(w | right) / p(w), if left and right are
    independent given w. Nothing was trained to combine them.
    """
    P = model.bilm.options.projection
    start = zero_state(model.bilm.options, 1, model.softmax.weight)
    layers, _ = model.bilm.read(frame([tokens]), start)
    left = torch.log_softmax(model.softmax(layers[-1, :-2, 0, :P]), dim=-1)  # (T, V)
    right = torch.log_softmax(model.softmax(layers[-1, 2:, 0, P:]), dim=-1)
    both = torch.log_softmax(left + right - shares, dim=-1)
    return [Filled(*three) for three in zip(left, right, both, strict=True)]


def gap_scores(model: BiLanguageModel, text: Text, shares: Tensor) -> GapScores:
    """Ask for every token of some sentences, each sentence read alone, from all three sides."""
    nats, first, gaps = dict.fromkeys(SIDES, 0.0), dict.fromkeys(SIDES, 0), 0
    for sentence in text:
        answers = model.numbers(sentence).tolist()
        for filled, answer in zip(fill(model, sentence, shares), answers, strict=True):
            for side, log_p in zip(SIDES, filled, strict=True):
                nats[side] -= log_p[answer].item()
                first[side] += int(log_p.argmax()) == answer
            gaps += 1
    return GapScores(
        {side: math.exp(nats[side] / gaps) for side in SIDES},
        {side: first[side] / gaps for side in SIDES},
        gaps,
    )
