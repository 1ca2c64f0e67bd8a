"""Which words decided? Leave each one out, and measure how the answer changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_utils.models.quiet import quiet
from course_utils.models.tagging import Classifier, Coder, Tagger


class Tagged(NamedTuple):
    """A tagger's answer for every word, and each word's effect on the answer at one place."""

    words: list[str]
    tags: list[str]
    sure: Tensor  # (T,), p of the tag
    place: int
    effects: Tensor  # (T,), log p(tag at `place`) minus the same without the word; 0 at the place


class Attended(NamedTuple):
    """A classifier's answer, the pooling's weights, and each word's effect on the answer."""

    words: list[str]
    label: str
    sure: float
    weights: Tensor  # (T,)
    effects: Tensor  # (T,), log p(label) minus the same without the word


def coder_of(network: Tagger | Classifier) -> Coder:
    """Return the coder of a trained network: the words and labels that it knows."""
    if network.coder is None:
        raise ValueError("this network has no coder: set network.coder to the one it learned with")
    return network.coder


def without_each(words: Sequence[str]) -> list[list[str]]:
    """Return the sentence without its first word, without its second, and so on."""
    return [[*words[:place], *words[place + 1 :]] for place in range(len(words))]


def tag_words(network: Tagger, words: Sequence[str], place: int) -> Tagged:
    """Return the tags, and how much every other word supports the tag at `place`.

    A word above 0 supports the answer: without it, the answer is less likely.
    """
    words, coder = list(words), coder_of(network)
    with quiet(network):
        log_p = network(coder.batch([words]))[0].log_softmax(dim=-1)  # (T, labels)
        best = log_p.argmax(dim=-1)
        effects = torch.zeros(len(words))
        if len(words) > 1:
            fewer = network(coder.batch(without_each(words))).log_softmax(dim=-1)
            for left_out in range(len(words)):
                if left_out != place:
                    now = fewer[left_out, place - (left_out < place), best[place]]
                    effects[left_out] = log_p[place, best[place]] - now
    tags = [coder.labels[n] for n in best.tolist()]
    sure = log_p.max(dim=-1).values.exp()
    return Tagged(words, tags, sure, place, effects)


def tag_as_read(network: Tagger, words: Sequence[str], place: int, tag: str) -> Tensor:
    """Return (T - place,) how likely the tag at `place` is after each word from there on."""
    coder = coder_of(network)
    read = [list(words[: end + 1]) for end in range(place, len(words))]
    with quiet(network):
        p = network(coder.batch(read)).softmax(dim=-1)  # (T - place, T, labels)
    found: Tensor = p[:, place, coder.labels.index(tag)]
    return found


def attend(network: Classifier, words: Sequence[str]) -> Attended:
    """Return the answer, each word's weight in the pooling, and its effect on the answer."""
    words, coder = list(words), coder_of(network)
    with quiet(network):
        read = network.read(coder.batch([words]))
        log_p = read.logits[0].log_softmax(dim=-1)
        best = int(log_p.argmax())
        effects = torch.zeros(len(words))
        if len(words) > 1:
            fewer = network(coder.batch(without_each(words))).log_softmax(dim=-1)
            effects = log_p[best] - fewer[:, best]
    return Attended(words, coder.labels[best], float(log_p[best].exp()), read.weights[0], effects)


def by_place(read: Sequence[Attended]) -> list[Tensor]:
    """Give each sentence the weights of the next one of its length; the last gets the first's.

    Such weights know positions but not words, so any agreement that remains is due to position. A
    sentence that is the only one of its length has no such neighbour.
    """
    alike: dict[int, list[int]] = {}
    for number, one in enumerate(read):
        alike.setdefault(len(one.words), []).append(number)
    if alone := [length for length, numbers in alike.items() if len(numbers) < 2]:
        raise ValueError(f"only one sentence has {alone[0]} words: choose lengths with more")
    follows = {
        own: other
        for numbers in alike.values()
        for own, other in zip(numbers, numbers[1:] + numbers[:1], strict=True)
    }
    return [read[follows[number]].weights for number in range(len(read))]


class Judged(NamedTuple):
    """How well weights tell what leaving a word out costs, over many sentences."""

    heaviest_costs_most: float  # share of the sentences
    agreement: float  # of the two orders, median


def judge_weights(read: Sequence[Attended], weights: Sequence[Tensor]) -> Judged:
    """Compare weights, one list a sentence, with the effects that were measured there."""
    pairs = [(own, one.effects) for own, one in zip(weights, read, strict=True)]
    hits = sum(bool(own.argmax() == cost.argmax()) for own, cost in pairs)
    agreements = torch.tensor([rank_agreement(own, cost) for own, cost in pairs])
    return Judged(hits / len(pairs), agreements.quantile(0.5).item())


def rank_agreement(one: Tensor, other: Tensor) -> float:
    """Return Spearman's rank correlation of two lists: 1 the same order, 0 none, -1 reversed."""
    ranks = torch.stack([_ranks(one), _ranks(other)])
    ranks = ranks - ranks.mean(dim=1, keepdim=True)
    lengths = ranks.norm(dim=1)
    if not lengths.all():
        return 0.0
    return float(ranks[0] @ ranks[1] / lengths.prod())


def _ranks(values: Tensor) -> Tensor:
    """Return the ranks, ties sharing their mean rank."""
    values = values.double()
    below = (values[None] < values[:, None]).sum(dim=1)
    same = (values[None] == values[:, None]).sum(dim=1)
    return below.double() + (same - 1) / 2
