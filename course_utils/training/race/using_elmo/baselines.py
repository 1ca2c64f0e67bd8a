"""The strongest cheap answers, without a network: a list of words, or counts of words."""

from __future__ import annotations

import math
from collections import Counter

from course_utils.data.tagging.examples import Example, Task, most_frequent_label
from course_utils.training.race.using_elmo.sources import LONGEST


def right_without_network(task: Task, longest: int | None = LONGEST) -> float:
    """Return the share of test labels that the list gets right, learned from the same sentences.

    Of each sentence the first `longest` words are read, as many as the networks beside it read;
    None reads all.
    """
    return _listed(task, longest) if task.kind == "tagging" else _counted(task, longest)


def _listed(task: Task, longest: int | None) -> float:
    """Give every word its most frequent label, an unknown word the most frequent of all."""
    commonest = most_frequent_label(task)
    right = asked = 0
    for example in task.test:
        for word, label in zip(example.words[:longest], example.labels, strict=False):
            right += commonest.get(word, commonest[""]) == label
            asked += 1
    return right / asked


def _counted(task: Task, longest: int | None) -> float:
    """Naive Bayes over words, each counted once more than it was seen."""
    counts: dict[str, Counter[str]] = {}
    for example in task.train:
        counts.setdefault(example.labels[0], Counter()).update(example.words[:longest])
    vocabulary = len(set().union(*counts.values())) + 1
    totals = {label: sum(found.values()) + vocabulary for label, found in counts.items()}
    prior = Counter(example.labels[0] for example in task.train)

    def score(example: Example, label: str) -> float:
        own = counts[label]
        words = example.words[:longest]
        logs = sum(math.log((own[word] + 1) / totals[label]) for word in words)
        return math.log(prior[label]) + logs

    guesses = [max(counts, key=lambda label: score(e, label)) for e in task.test]
    return sum(g == e.labels[0] for g, e in zip(guesses, task.test, strict=True)) / len(guesses)
