"""A task: examples for training, validation and testing."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple


class Example(NamedTuple):
    """A sentence and its labels: one for every word, or a single one for the whole."""

    words: list[str]
    labels: list[str]


class Task(NamedTuple):
    """Three parts that share no source; `labels` are those of the training part."""

    name: str
    kind: str  # "tagging" or "classification"
    train: list[Example]
    valid: list[Example]
    test: list[Example]

    @property
    def labels(self) -> list[str]:
        """Return the labels to learn, the most frequent first."""
        counts = Counter(label for example in self.train for label in example.labels)
        return sorted(counts, key=lambda label: (-counts[label], label))

    def first(self, size: int) -> Task:
        """Return the task with only the first examples to learn from."""
        if not 1 <= size <= len(self.train):
            raise ValueError(f"{self.name} has 1 to {len(self.train)} examples, not {size}")
        return self._replace(train=self.train[:size])


def most_frequent_label(task: Task) -> dict[str, str]:
    """Return each training word's most frequent label; "" stands for words never seen."""
    counts: dict[str, Counter[str]] = {"": Counter()}
    for example in task.train:
        for word, label in zip(example.words, example.labels, strict=True):
            counts.setdefault(word, Counter())[label] += 1
            counts[""][label] += 1
    return {word: min(found, key=lambda tag: (-found[tag], tag)) for word, found in counts.items()}
