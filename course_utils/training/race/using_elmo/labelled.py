"""Which labelled sentences a run of lecture 10 learns from, and which it is asked about."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import NamedTuple

from course_utils.data.tagging.era import era_task
from course_utils.data.tagging.examples import Example, Task
from course_utils.data.tagging.grammar import grammar_task
from course_utils.data.tagging.registered import ewt_task, polarity_task
from course_utils.data.vocabulary import BEGIN, END, Vocabulary
from course_utils.results.using_elmo import IN_ORDER, SIZES
from course_utils.settings import UNKNOWN
from course_utils.training.race.using_elmo.sources import LONGEST, Coded, code

MOST_TESTED = 1000  # sentences


@lru_cache(maxsize=1)
def task_of(name: str) -> Task:
    """Return a task; the sentences of `era` come from years that the biLM has not read."""
    if name in ("era", IN_ORDER):
        task = era_task(unseen=True)
        return task._replace(train=task.train + task.valid)
    make = {"grammar": grammar_task, "ud_english_ewt": ewt_task,
            "sentence_polarity": polarity_task}[name]  # fmt: skip
    return make()


def pool_of(name: str) -> list[Example]:
    """Return the training examples from which every seed takes its own."""
    return task_of(name).train[: max(SIZES[name if name in SIZES else "era"])]


def is_bag(name: str) -> bool:
    return name != IN_ORDER and task_of(name).kind == "classification"


class Prepared(NamedTuple):
    """What one run reads."""

    train: Coded
    test: Coded
    words: int
    task: Task
    bag: bool  # word order is ignored


def prepared(name: str, size: int, seed: int) -> Prepared:
    """Return a task with its first examples; another seed takes others where there are more."""
    task = task_of(name)
    task = task._replace(train=[task.train[n] for n in chosen(name, size, seed)])
    seen = (word for example in task.train for word in example.words[:LONGEST])
    words = Vocabulary.of(seen, special=(UNKNOWN, BEGIN, END))
    train, test = (code(part, task, words) for part in (task.train, task.test[:MOST_TESTED]))
    return Prepared(train, test, len(words), task, is_bag(name))


def chosen(name: str, size: int, seed: int) -> list[int]:
    """Return which training examples a seed gets, equally many of every class where it can be."""
    examples = pool_of(name)
    order = Random(f"{name} {seed}").sample(range(len(examples)), len(examples))
    if task_of(name).kind == "tagging":
        return order[:size]
    found: dict[str, list[int]] = {}
    for n in order:
        found.setdefault(examples[n].labels[0], []).append(n)
    share = size // len(found)
    return [n for own in found.values() for n in own[:share]]
