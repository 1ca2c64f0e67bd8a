"""Which sentences a seed learns from, which choose its steps, and which it is asked about.

All three differ from seed to seed, at every size: no two seeds are asked about one sentence. So
what differs between seeds holds the luck of all three draws.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

from course_utils.data.tagging.era import era_task
from course_utils.data.tagging.examples import Example, Task
from course_utils.data.tagging.grammar import grammar_task
from course_utils.data.tagging.registered import ewt_task, polarity_task

FOLDS = 5
VALID, TEST = 100, 250  # at most so many sentences


@lru_cache(maxsize=16)
def fold_of(name: str, seed: int) -> Task:
    """Return a task with the parts of one seed; its training part is still whole, in an order."""
    task = _folded(name, seed % FOLDS)
    train = Random(f"{name} {seed}").sample(task.train, len(task.train))
    if task.kind == "classification":
        train = _alternating(train)
    return task._replace(train=train, valid=task.valid[:VALID], test=task.test[:TEST])


def sample_of(name: str, size: int, seed: int) -> Task:
    """Return a seed's task with so many sentences to learn from."""
    return fold_of(name, seed).first(size)


def _folded(name: str, fold: int) -> Task:
    if name == "era":
        return era_task(unseen=True, turn=fold)
    if name == "sentence_polarity":
        task = polarity_task()
        parts = task.train + task.valid + task.test
        folds = [parts[n::FOLDS] for n in range(FOLDS)]
        turned = folds[fold:] + folds[:fold]
        rest = [example for part in turned[2:] for example in part]
        return task._replace(train=rest, valid=turned[1], test=turned[0])
    task = _tagging(name)
    return task._replace(valid=task.valid[fold::FOLDS], test=task.test[fold::FOLDS])


@lru_cache(maxsize=2)
def _tagging(name: str) -> Task:
    if name == "grammar":
        return grammar_task(2000, held_out=FOLDS * TEST)
    return ewt_task()


def _alternating(examples: list[Example]) -> list[Example]:
    """Let the classes take turns, so that the first N hold equally many of each."""
    classes: dict[str, list[Example]] = {}
    for example in examples:
        classes.setdefault(example.labels[0], []).append(example)
    mixed = zip(*(classes[label] for label in sorted(classes)), strict=False)
    return [example for together in mixed for example in together]
