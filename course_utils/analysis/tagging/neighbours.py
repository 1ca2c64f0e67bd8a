"""Which words are ambiguous, and how many of them one neighbour settles; no network needed."""

from __future__ import annotations

from collections import Counter

from course_utils.data.tagging.examples import Task, most_frequent_label


def settled_by(task: Task, offset: int) -> float:
    """Return the share of the ambiguous words whose label follows from a word next to them.

    A test word counts as ambiguous if its label is not its usual one. Offset 1 is the next word, -1
    the one before; the prediction is the pair's usual label in training.
    """
    usual, counts = most_frequent_label(task), dict[tuple[str, str], Counter[str]]()
    for example in task.train:
        for pair, label in zip(_pairs(example.words, offset), example.labels, strict=True):
            counts.setdefault(pair, Counter())[label] += 1
    doubts = settled = 0
    for example in task.test:
        for pair, label in zip(_pairs(example.words, offset), example.labels, strict=True):
            if usual.get(pair[0], usual[""]) != label:
                doubts += 1
                found = counts.get(pair)
                settled += found is not None and found.most_common(1)[0][0] == label
    return settled / doubts


def _pairs(words: list[str], offset: int) -> list[tuple[str, str]]:
    """Return every word with the one `offset` places away, "" beyond either end."""
    places = range(offset, offset + len(words))
    return [
        (word, words[at] if 0 <= at < len(words) else "")
        for word, at in zip(words, places, strict=True)
    ]
