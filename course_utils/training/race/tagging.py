"""Lecture 08's runs: directions, depth and width, pooling, labels, and the published treebank.

Every row is one network with one seed. What needs a set that is not in the cache is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import product
from typing import NamedTuple

from course_utils.data.tagging import era_task, ewt_task, grammar_task, polarity_task, python_task
from course_utils.data.tagging.examples import Task
from course_utils.results.files import Row
from course_utils.shipped import load_recurrent_lm
from course_utils.training.race.race import Lap, Race, register
from course_utils.training.race.using_elmo.baselines import right_without_network
from course_utils.training.tagging.tasks import Sizes, teach
from course_utils.training.tagging.tuning import STARTS, STEPS, draw_labelled, tune

SEEDS = 5
READER = "english_lstm"  # the language model that has read the training speeches, without labels
DIRECTIONS = ("window", "forward", "backward", "both")
EARLY, LATE = 500, 2000  # steps: what a tagger can know is not what it has learned in time
LAYERS, WIDTHS = (1, 2, 3), (16, 48, 128)
COUNTS = "counts"  # no network: each word's usual tag, or naive Bayes over a sentence's words
POOLINGS = ("mean", "max", "last", "attention")
EWT = Sizes(width=64, hidden=128, dropout=0.3, steps=1500)
POLARITY = Sizes(width=64, dropout=0.5, steps=600, lr=2e-3)
REGISTERED = ("ud_english_ewt", "sentence_polarity")
TASKS: dict[str, Callable[[], Task]] = {
    "grammar": lambda: grammar_task(3000),
    "python": python_task,
    "era": era_task,
    "ud_english_ewt": ewt_task,
    "sentence_polarity": polarity_task,
}


class Run(NamedTuple):
    """One network: what is asked of it, and what tells it from the others of its group."""

    group: str
    task: str
    seed: int
    labels: int  # how many examples it learns from, 0 for all
    sizes: Sizes | None  # None where a language model comes first
    start: str = ""

    @property
    def key(self) -> Row:
        """Return what the file says of a run beside its accuracy."""
        about: Row = {"group": self.group, "task": self.task, "seed": self.seed}
        if self.labels:
            about["labels"] = self.labels
        if self.sizes is None:
            return about | {"start": self.start}
        about |= {name: getattr(self.sizes, name) for name in ("direction", "layers", "hidden")}
        if self.group == "pooling" or self.task == "sentence_polarity":
            about["pooling"] = self.sizes.pooling
        if self.group == "direction":
            about["steps"] = self.sizes.steps
        return about | ({"spelled": self.sizes.spelled} if self.group == "treebank" else {})


def every_run() -> Iterator[Run]:
    """Yield all runs in the order in which they are made."""
    for seed, task, direction in product(range(SEEDS), ("grammar", "python"), DIRECTIONS):
        yield Run("direction", task, seed, 0, Sizes(direction, steps=EARLY))
    for seed, direction in product(range(SEEDS), DIRECTIONS):
        yield Run("direction", "grammar", seed, 0, Sizes(direction, steps=LATE))
    for seed, pooling in product(range(SEEDS), POOLINGS):
        yield Run("pooling", "era", seed, 1000, Sizes(pooling=pooling, steps=200))
    for seed, labels, start in product(range(SEEDS), STEPS, STARTS):
        yield Run("labels", "era", seed, labels, None, start)
    for seed, layers, hidden in product(range(SEEDS), LAYERS, WIDTHS):
        yield Run("size", "python", seed, 0, Sizes(layers=layers, hidden=hidden, steps=400))
    for seed in range(SEEDS):
        yield Run("treebank", "ud_english_ewt", seed, 0, EWT)
        yield Run("treebank", "ud_english_ewt", seed, 0, replace(EWT, spelled=True))
        yield Run("treebank", "ud_english_ewt", seed, 0, replace(EWT, direction="forward"))
    for seed, pooling in product(range(SEEDS), ("mean", "attention")):
        yield Run("polarity", "sentence_polarity", seed, 0, replace(POLARITY, pooling=pooling))
    for seed, labels in product(range(SEEDS), STEPS):
        yield Run("labels", "era", seed, labels, None, COUNTS)
    for task in TASKS:
        yield Run("words", task, 0, 0, None, COUNTS)


@cache
def _task(name: str) -> Task:
    return TASKS[name]()


def make_run(run: Run, steps: int | None = None, device: str | None = None) -> float:
    """Return the accuracy of one run."""
    task = _task(run.task)
    if run.start == COUNTS:
        few = draw_labelled(task, run.labels, run.seed) if run.labels else task.train
        return right_without_network(task._replace(train=few), None)
    if run.sizes is None:
        model = load_recurrent_lm(READER)
        return tune(task, model, run.labels, run.start, run.seed, steps).accuracy
    sizes = replace(run.sizes, steps=steps) if steps else run.sizes
    return teach(
        task.first(run.labels) if run.labels else task, sizes, run.seed, device=device
    ).accuracy


def laps(steps: int | None, device: str | None) -> Iterator[Lap]:
    """Yield every run."""
    for run in every_run():
        needs = run.task if run.task in REGISTERED else ""
        yield Lap(run.key, partial(_row, run, steps, device), needs)


def _row(run: Run, steps: int | None, device: str | None) -> list[Row]:
    return [{"accuracy": round(make_run(run, steps, device), 5)}]


def said(row: Row) -> str:
    """Say what one run reached."""
    return ", ".join(f"{name} {value}" for name, value in row.items())


RACE = register(
    Race(
        "tagging_race",
        "taggers and classifiers of lecture 08: directions, sizes, pooling, labels",
        laps,
        said,
        sets=REGISTERED,
    )
)
