"""Lecture 08's runs: directions, depth and width, pooling, labels, and the published treebank.

Every row is one network with one seed and one number of steps. What is compared at convergence is
trained with several numbers of steps, each with a rate that falls to zero at its own end; which
of them counts is for the validation part to say, by one rule for all (results/tagging.py). What
needs a set that is not in the cache is left out.
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
from course_utils.results.tagging import COUNTS
from course_utils.shipped import load_recurrent_lm
from course_utils.training.race.race import Lap, Race, register
from course_utils.training.race.using_elmo.baselines import right_without_network
from course_utils.training.tagging.tasks import Sizes, Taught, score, teach
from course_utils.training.tagging.tuning import STARTS, STEPS, Tuned, draw_labelled, tune

SEEDS = 5
READER = "english_lstm"  # the language model that has read the training speeches, without labels
DIRECTIONS = ("window", "forward", "backward", "both")
# steps: what a tagger can know is not what it has learned in time
DIRECTED = (("grammar", 500), ("grammar", 2000), ("python", 2000))
TIMES = (0.25, 1, 4, 16)  # as many steps as an impatient teacher takes
LAYERS, WIDTHS = (1, 2, 3), (16, 48, 128)
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
    steps: int = 0
    sizes: Sizes | None = None  # None where a language model comes first
    start: str = ""

    @property
    def key(self) -> Row:
        """Return what the file says of a run beside its accuracies."""
        about: Row = {"group": self.group, "task": self.task, "seed": self.seed}
        about |= {name: count for name in ("labels", "steps") if (count := getattr(self, name))}
        if self.sizes is None:
            return about | {"start": self.start}
        about |= {name: getattr(self.sizes, name) for name in ("direction", "layers", "hidden")}
        if self.group == "pooling" or self.task == "sentence_polarity":
            about["pooling"] = self.sizes.pooling
        return about | ({"spelled": self.sizes.spelled} if self.group == "treebank" else {})


def every_run() -> Iterator[Run]:
    """Yield all runs in the order in which they are made."""
    for seed, (task, steps), direction in product(range(SEEDS), DIRECTED, DIRECTIONS):
        yield Run("direction", task, seed, 0, steps, Sizes(direction))
    for seed, times, pooling in product(range(SEEDS), TIMES[1:], POOLINGS):
        yield Run("pooling", "era", seed, 1000, round(times * 200), Sizes(pooling=pooling))
    for seed, labels, times, start in product(range(SEEDS), STEPS, TIMES, STARTS):
        yield Run("labels", "era", seed, labels, round(times * STEPS[labels]), start=start)
    for seed, times, layers, hidden in product(range(SEEDS), TIMES[1:3], LAYERS, WIDTHS):
        sizes = Sizes(layers=layers, hidden=hidden)
        yield Run("size", "python", seed, 0, round(times * 400), sizes)
    for seed in range(SEEDS):
        for sizes in EWT, replace(EWT, spelled=True), replace(EWT, direction="forward"):
            yield Run("treebank", "ud_english_ewt", seed, 0, EWT.steps, sizes)
    for seed, times, pooling in product(range(SEEDS), TIMES[1:], ("mean", "attention")):
        sizes = replace(POLARITY, pooling=pooling)
        yield Run("polarity", "sentence_polarity", seed, 0, round(times * POLARITY.steps), sizes)
    for seed, labels in product(range(SEEDS), STEPS):
        yield Run("labels", "era", seed, labels, start=COUNTS)
    for task in TASKS:
        yield Run("words", task, 0, 0, start=COUNTS)


@cache
def _task(name: str) -> Task:
    return TASKS[name]()


def make_run(run: Run, steps: int | None = None, device: str | None = None) -> Row:
    """Return the accuracy of one run on the test part and, of a network, on the validation part."""
    task, steps = _task(run.task), steps or run.steps
    made: Tuned | Taught
    if run.start in STARTS:
        model = load_recurrent_lm(READER)
        made = tune(task, model, run.labels, run.start, run.seed, steps)
    else:
        drawn = draw_labelled(task, run.labels, run.seed) if run.labels else task.train
        known = task._replace(train=drawn)
        if run.sizes is None:
            return {"accuracy": round(right_without_network(known, None), 5)}
        made = teach(known, replace(run.sizes, steps=steps), run.seed, device=device)
    valid = score(made.network, made.coder, task, task.valid)
    return {"valid": round(valid, 5), "accuracy": round(made.accuracy, 5)}


def laps(steps: int | None, device: str | None) -> Iterator[Lap]:
    """Yield every run."""
    for run in every_run():
        needs = run.task if run.task in REGISTERED else ""
        yield Lap(run.key, partial(_rows, run, steps, device), needs)


def _rows(run: Run, steps: int | None, device: str | None) -> list[Row]:
    return [make_run(run, steps, device)]


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
