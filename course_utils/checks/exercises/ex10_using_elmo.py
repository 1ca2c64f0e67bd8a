"""Lecture 10: an error that is gone, ELMo in a tagger, a neighbour's sense, a fair comparison."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise, Misconception


def relative_error_reduction(baseline: float, improved: float) -> float:
    """Return which share of the baseline's error is gone, in percent; both scores in percent."""
    return 100 * (improved - baseline) / (100 - baseline)


def add_elmo(x: Tensor, layers: Tensor, s: Tensor, gamma: float) -> Tensor:
    """Return [x_k; γ Σ_j softmax(s)_j h_kj] for every word, (T, D + 2P)."""
    return _added(lambda s: torch.softmax(s, 0))(x, layers, s, gamma)


def neighbour_accuracy(vectors: Tensor, senses: Sequence[int], clauses: Sequence[int]) -> float:
    """Return how often the nearest use in another clause has the same sense."""
    return _nearest()(vectors, senses, clauses)


def control_labels(words: Sequence[str], drawn: Sequence[int]) -> list[int]:
    """Return a label for every token: a word's first appearance draws it, and it stays."""
    label: dict[str, int] = {}
    for word in words:
        label.setdefault(word, drawn[len(label)])
    return [label[word] for word in words]


def which_is_fair() -> dict[str, str]:
    """Return which of five comparisons show that context, and nothing else, helps."""
    return {"A": "unfair", "B": "unfair", "C": "fair", "D": "unfair", "E": "unfair"}


def _added(weigh: Callable[[Tensor], Tensor], order: int = 1, scale: bool = True) -> Callable:
    def add(x: Tensor, layers: Tensor, s: Tensor, gamma: float) -> Tensor:
        mixed = torch.tensordot(weigh(s), layers, dims=1) * (gamma if scale else 1)
        return torch.cat([x, mixed][::order], dim=-1)

    return add


def _top_only(x: Tensor, layers: Tensor, s: Tensor, gamma: float) -> Tensor:
    return torch.cat([x, gamma * layers[-1]], dim=-1)


def _scaled_all(x: Tensor, layers: Tensor, s: Tensor, gamma: float) -> Tensor:
    return gamma * add_elmo(x, layers, s, 1.0)


def _all_layers(x: Tensor, layers: Tensor, s: Tensor, gamma: float) -> Tensor:
    weighed = torch.softmax(s, 0)[:, None, None] * layers
    return torch.cat([x, *(gamma * layer for layer in weighed)], dim=-1)


def _mixed_alone(x: Tensor, layers: Tensor, s: Tensor, gamma: float) -> Tensor:
    return gamma * torch.tensordot(torch.softmax(s, 0), layers, dims=1)


def _nearest(
    measure: str = "cosine", among: str = "other clauses", worst: bool = False
) -> Callable[[Tensor, Sequence[int], Sequence[int]], float]:
    def accuracy(vectors: Tensor, senses: Sequence[int], clauses: Sequence[int]) -> float:
        unit = vectors / vectors.norm(dim=-1, keepdim=True)
        near = {
            "cosine": unit @ unit.T,
            "dot": vectors @ vectors.T,
            "distance": -torch.cdist(vectors, vectors),
        }[measure]
        right = 0
        for n, clause in enumerate(clauses):
            allowed = [
                m
                for m, other in enumerate(clauses)
                if among == "all"
                or (among == "others" and m != n)
                or (among == "other clauses" and other != clause)
            ]
            ranked = sorted(allowed, key=near[n].tolist().__getitem__)
            right += senses[ranked[0 if worst else -1]] == senses[n]
        return right / len(senses)

    return accuracy


def _every_neighbour(vectors: Tensor, senses: Sequence[int], clauses: Sequence[int]) -> float:
    pairs = [
        senses[a] == senses[b]
        for a in range(len(senses))
        for b in range(len(senses))
        if clauses[a] != clauses[b]
    ]
    return sum(pairs) / len(pairs)


def _masked_by_zero(vectors: Tensor, senses: Sequence[int], clauses: Sequence[int]) -> float:
    unit = vectors / vectors.norm(dim=-1, keepdim=True)
    where, meant = torch.tensor(clauses), torch.tensor(senses)
    near = (unit @ unit.T) * (where[:, None] != where)
    return (meant[near.argmax(dim=1)] == meant).double().mean().item()


def _uses() -> list[tuple[Tensor, list[int], list[int]]]:
    """Return uses whose neighbours differ by measure and by who is allowed."""
    cases = []
    for each, width, seed in ((2, 4, 3), (3, 5, 8), (4, 6, 21)):
        clauses = [n // each for n in range(4 * each)]
        senses = [clause % 2 for clause in clauses]
        middle = some(4, width, seed=seed)[clauses]  # uses of one clause lie together
        towards = torch.tensor([[1.0 if sense else -1.0] * width for sense in senses])
        length = 1 + 3 * some(len(clauses), 1, seed=seed + 1).abs()
        noise = some(len(clauses), width, seed=seed + 2)
        vectors = length * (0.5 * middle + 0.1 * towards + noise)
        cases.append((vectors, senses, clauses))
    # all that is allowed lies on the other side: every cosine is below 0
    apart = torch.tensor([[1.0, 0.1], [1.0, 0.0], [-1.0, 0.2], [-1.0, -0.1]])
    return [*cases, (apart, [0, 0, 1, 1], [0, 0, 1, 1])]


def _labels(key: Callable[[str], str], number: Callable[[list[str], str], int]) -> Callable:
    def labels(words: Sequence[str], drawn: Sequence[int]) -> list[int]:
        kinds = list(dict.fromkeys(map(key, words)))
        return [drawn[number(kinds, key(word))] for word in words]

    return labels


TEXT = "the old captain saw a saw and the Old captain saw The man"
EXERCISES = (
    Exercise(
        number="10.1",
        task="relative error reduction",
        reference=relative_error_reduction,
        takes="baseline, improved: scores in percent",
        gives="a number in percent",
        example=(80.0, 85.0),
        cases=lambda: [(80.0, 85.0), (90.0, 92.5), (51.4, 54.7), (60.0, 57.0)],
        misconceptions=(
            Misconception(
                "relative to the score",
                lambda baseline, improved: 100 * (improved - baseline) / baseline,
                "You divide by the score that was there. What can still be won is the error, "
                "100 minus the score.",
            ),
            Misconception(
                "the difference",
                lambda baseline, improved: improved - baseline,
                "This is the difference in points. From 80 to 85 a quarter of the error is gone.",
            ),
            Misconception(
                "a share, not percent",
                lambda baseline, improved: (improved - baseline) / (100 - baseline),
                "Right as a share. Asked for are percent: times 100.",
            ),
            Misconception(
                "relative to the new error",
                lambda baseline, improved: 100 * (improved - baseline) / (100 - improved),
                "You divide by the error that is left. The error that was there before is the "
                "whole that a part is taken of.",
            ),
            Misconception(
                "what is left",
                lambda baseline, improved: 100 * (100 - improved) / (100 - baseline),
                "This is the share of the error that is left. Asked for is the share that is gone.",
            ),
            Misconception(
                "sign",
                lambda baseline, improved: 100 * (baseline - improved) / (100 - baseline),
                "The sign is turned round: an improvement reduces the error by a positive number.",
            ),
        ),
        hints=(
            "At 80 percent, how much is wrong? And at 85?",
            "The error goes from 100 - baseline to 100 - improved.",
            "100 * (improved - baseline) / (100 - baseline)",
        ),
    ),
    Exercise(
        number="10.2",
        task="add ELMo to a tagger",
        reference=add_elmo,
        takes="x: (T, D), layers: (L + 1, T, 2P), s: (L + 1,), gamma: a number",
        gives="an array (T, D + 2P)",
        example=(
            torch.tensor([[5.0]]).double(),
            torch.tensor([[[1.0, 2.0]], [[3.0, 4.0]]]).double(),
            torch.zeros(2).double(),
            2.0,
        ),
        cases=lambda: [
            (some(T, D, seed=T), some(L + 1, T, 2 * P, seed=D), some(L + 1, seed=P), 1.5 + P)
            for T, D, L, P in ((2, 3, 2, 1), (5, 4, 3, 2), (7, 3, 1, 4))
        ],
        misconceptions=(
            Misconception(
                "s as it is",
                _added(lambda s: s),
                "The weights must go through a softmax: they are shares of the layers.",
            ),
            Misconception(
                "s divided by its sum",
                _added(lambda s: s / s.sum()),
                "You divide s by its sum. Shares come from a softmax, which allows any s.",
            ),
            Misconception(
                "the plain mean",
                _added(lambda s: torch.ones_like(s) / len(s)),
                "This is the mean of the layers. The task wants to choose: use softmax(s).",
            ),
            Misconception(
                "without gamma",
                _added(lambda s: torch.softmax(s, 0), scale=False),
                "γ is missing: the task scales the whole mix.",
            ),
            Misconception(
                "gamma on x too",
                _scaled_all,
                "γ belongs to ELMo's part only; x_k stays as it is.",
            ),
            Misconception(
                "ELMo first",
                _added(lambda s: torch.softmax(s, 0), order=-1),
                "The order is [x_k; ELMo_k]: the word's own vector first.",
            ),
            Misconception(
                "top layer only",
                _top_only,
                "This takes the top layer alone, as earlier work did. ELMo mixes all of them.",
            ),
            Misconception(
                "layers side by side",
                _all_layers,
                "You put the weighed layers side by side. They are summed: ELMo_k is 2P wide.",
            ),
            Misconception(
                "the mix alone",
                _mixed_alone,
                "The mix is right, but it stands alone: it joins x_k and does not replace it.",
            ),
        ),
        hints=(
            "Two steps: one vector a word out of all layers, then put it beside x.",
            "softmax(s) has one share for each layer; sum the layers with these shares, times γ.",
            "mixed = gamma * (softmax(s)[:, None, None] * layers).sum(0); then concatenate x and "
            "mixed along the last axis.",
        ),
    ),
    Exercise(
        number="10.3",
        task="which comparison is fair?",
        kind="judge",
        reference=which_is_fair,
        gives='a dict {"A": "fair", "B": ...}',
        cases=lambda: [()],
        choices=("fair", "unfair"),
        misconceptions=(),
        reasons={
            ("A", "fair"): "A: ELMo has read two million words more than the baseline. That text "
            "alone could be the reason.",
            ("B", "fair"): "B: one vector may be better because it was made from a thousand times "
            "as much text, whether or not it knows a context.",
            ("C", "unfair"): "C: same text, same width, same network, many seeds: what differs is "
            "whether a vector knows its sentence.",
            ("D", "fair"): "D: the best of five against one run wins by luck alone.",
            (
                "E",
                "fair",
            ): "E: the test sentences were in the biLM's text. Without labels, but read "
            "all the same.",
        },
        hints=(
            "Ask of each pair: what else is different, besides context?",
            "Text that was read, seeds, a test that was in the text: each could win alone.",
            "Only one of the five is fair.",
        ),
    ),
    Exercise(
        number="10.4",
        task="a control task for a probe",
        kind="design",
        reference=control_labels,
        takes="words: a list of words, some of them more than once; drawn: enough labels, drawn "
        "by chance",
        gives="a list with one label for every token",
        example=(["a", "b", "a"], [2, 0, 1]),
        cases=lambda: [
            (["a", "b", "a"], [2, 0, 1]),
            (TEXT.split(), [3, 1, 4, 0, 5, 2, 6, 8, 7, 9, 11, 10, 12]),
            (TEXT.split()[::-1], [7, 2, 0, 5, 3, 6, 1, 4, 9, 8, 10, 11, 12]),
        ],
        misconceptions=(
            Misconception(
                "a new label for every token",
                lambda words, drawn: list(drawn[: len(words)]),
                "Every token draws anew. Then nobody can learn anything, and even a probe that "
                "memorises words looks honest. A word must keep its label.",
            ),
            Misconception(
                "one label for all",
                lambda words, drawn: [drawn[0]] * len(words),
                "All words have one label: that is learned without looking at anything.",
            ),
            Misconception(
                "case does not count",
                _labels(str.lower, list.index),
                "'Old' and 'old' are two words to a model that reads letters; each draws its own.",
            ),
            Misconception(
                "in alphabetical order",
                _labels(str, lambda kinds, word: sorted(kinds).index(word)),
                "The words draw in alphabetical order here. They draw when they first appear.",
            ),
            Misconception(
                "one label for each length",
                _labels(lambda word: str(len(word)), list.index),
                "Words of one length share a label: the letters would give it away. Every word "
                "draws its own.",
            ),
            Misconception(
                "the place of the first appearance draws",
                lambda words, drawn: [drawn[list(words).index(word)] for word in words],
                "You use the place of a word's first token. The third new word gets the third "
                "label, wherever it stands.",
            ),
            Misconception(
                "the number, not the label",
                lambda words, drawn: [list(dict.fromkeys(words)).index(word) for word in words],
                "These are the words' numbers. The label is what is drawn for that number.",
            ),
            Misconception(
                "labels of the words, not of the tokens",
                lambda words, drawn: list(drawn[: len(set(words))]),
                "One label a word. Asked for is one for every token, in the text's order.",
            ),
        ),
        hints=(
            "What could a probe learn without knowing anything about language? Give it just that.",
            "Keep a dict from words to labels; a word that is not in it takes the next label.",
            "label.setdefault(word, drawn[len(label)]) for each word, then look every token up.",
        ),
    ),
    Exercise(
        number="10.5",
        task="nearest neighbours by sense",
        reference=neighbour_accuracy,
        takes="vectors: (N, D), uses of one word; senses, clauses: N whole numbers",
        gives="a number between 0 and 1",
        cases=_uses,
        misconceptions=(
            Misconception(
                "a use finds itself",
                _nearest(among="all"),
                "Nearest to every use is the use itself: so everything is right. It is no answer.",
            ),
            Misconception(
                "copies of the clause count",
                _nearest(among="others"),
                "Uses in the same clause are allowed here. They are copies: finding one proves "
                "nothing about senses.",
            ),
            Misconception(
                "dot product",
                _nearest("dot"),
                "You compare by the dot product: long vectors are near to everything. Divide by "
                "the lengths.",
            ),
            Misconception(
                "distance",
                _nearest("distance"),
                "You compare by distance, in which the length of a vector counts. Asked for is "
                "the cosine.",
            ),
            Misconception(
                "forbidden is zero",
                _masked_by_zero,
                "You put 0 where the clause is the same. A cosine may be below 0, and then a "
                "forbidden use is the nearest. -inf is below everything.",
            ),
            Misconception(
                "farthest",
                _nearest(worst=True),
                "This asks the farthest use. A large cosine is near.",
            ),
            Misconception(
                "dot product, copies count",
                _nearest("dot", "others"),
                "Two things: divide by the lengths, and leave out uses of the same clause.",
            ),
            Misconception(
                "distance, copies count",
                _nearest("distance", "others"),
                "Two things: use the cosine, and leave out uses of the same clause.",
            ),
            Misconception(
                "percent",
                lambda vectors, senses, clauses: 100 * _nearest()(vectors, senses, clauses),
                "Right, but in percent: a share between 0 and 1 is asked for.",
            ),
            Misconception(
                "all pairs",
                _every_neighbour,
                "This counts all pairs of uses. Only each use's nearest one is asked.",
            ),
        ),
        hints=(
            "For each use: who may be its neighbour, who of these is nearest, has it the sense?",
            "Divide every vector by its length; then one matrix product gives all cosines.",
            "Set the cosine to -inf wherever clauses are equal, take the argmax of each row, and "
            "compare senses.",
        ),
    ),
)
