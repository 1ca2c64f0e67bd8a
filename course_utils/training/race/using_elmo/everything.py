"""Run all that lecture 10 shows, in an order that leaves a whole file after every run.

"Never worse with ELMo" is not what the shipped file says: on film reviews words alone win, and on
the era static vectors do. The curve of the era ends at 2,500 labels, where unread sentences end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from course_utils.data.sets.registry import problems
from course_utils.models.elmo import BiLanguageModel
from course_utils.models.model_file import shipped_cards
from course_utils.training.race.one_by_one import begun, load_rows, made_with, write_rows
from course_utils.training.race.using_elmo import domain, gaps, insides, tasks
from course_utils.training.race.using_elmo.labelled import IN_ORDER, SIZES
from course_utils.training.race.using_elmo.sources import SOURCES, language_model
from course_utils.training.race.using_elmo.variants import MAIN

RESULTS = Path(__file__).parents[3] / "checkpoints" / "lecture10.json"
SEEDS = 5
SETTINGS = ("output", "both", "no dropout", "no penalty", "strong penalty", "fine-tuned")
SETTINGS_AT = (("grammar", 100), (IN_ORDER, 100))
ADAPTED_AT = (50, 1000)  # labels of film reviews
REGISTERED = ("ud_english_ewt", "sentence_polarity", "senseval")

Row = dict[str, Any]


class Job(NamedTuple):
    """One run, by the key of its first row, and the set that it needs."""

    key: tuple[str, str, int]  # task, variant, seed; tasks with sizes carry theirs in the name
    needs: str
    run: Callable[[], list[Row]]


def jobs(steps: int | None = None) -> Iterator[Job]:
    """Yield everything there is to run; what reads the same layers stands together."""
    for name, sizes in SIZES.items():
        needs = name if name in REGISTERED else ""
        for variant in MAIN:
            for size in sizes:
                for seed in range(SEEDS):
                    yield _task(name, size, variant, seed, steps, needs)
    for name, size in SETTINGS_AT:
        main = () if name in SIZES else ("words", "elmo")
        for variant in (*main, *SETTINGS):
            for seed in range(SEEDS):
                yield _task(name, size, variant, seed, steps, "")
    for source in SOURCES:
        for seed in range(SEEDS):
            run = partial(insides.probe, source, seed)
            yield Job(("probe", source, seed), "ud_english_ewt", run)
            run = partial(insides.sense_probe, source, seed)
            yield Job(("sense probe", source, seed), "senseval", run)
    for seed in range(SEEDS):
        yield Job(("senses", "", seed), "senseval", partial(insides.senses, seed))
    yield Job(("perplexity", "", 0), domain.DOMAIN, partial(_perplexities, steps))
    for size in ADAPTED_AT:
        for seed in range(SEEDS):
            run = partial(_adapted, size, seed, steps)
            yield Job((f"adapted {size}", "", seed), domain.DOMAIN, run)
    for seed in range(SEEDS):
        yield Job(("gap", "", seed), "", partial(gaps.run_gaps, seed, steps))


def run_lecture10(
    path: str | Path = RESULTS,
    steps: int | None = None,
    device: str | None = None,
    tell: Callable[[str], None] = print,
    some: Callable[[Job], bool] = lambda job: True,
) -> Path:
    """Run what is missing in the file, which is whole after every run; the CPU does it all.

    What needs a set that is not in the cache is left out, and said.
    """
    path = Path(path)
    results = begun(path, steps)
    if results["rows"] and not results["made_with"].endswith(_which_bilm()):
        raise ValueError(
            f"{path} holds what {results['made_with']} reached, and this is {_which_bilm()}: "
            "choose another folder, or delete the file"
        )
    results["made_with"] = f"{made_with()}; {_which_bilm()}"
    done = [row.get("job") for row in results["rows"]]
    missing = {name for name in REGISTERED if problems(name)}
    for name in sorted(missing):
        tell(f"{name} is not in the cache (course data fetch {name}): its rows are left out")
    for job in jobs(steps):
        if list(job.key) in done or job.needs in missing or not some(job):
            continue
        rows = [{**row, "job": list(job.key)} for row in job.run()]
        tell("; ".join(f"{r['task']} {r['size']} {r['variant']}: {r['score']}" for r in rows[:4]))
        results["rows"] += rows
        write_rows(results, path)
    return path


def _which_bilm() -> str:
    """Say which model the numbers belong to."""
    reached = shipped_cards()["course_elmo"]["metrics"]
    ahead, back = (reached[f"{way}_perplexity"] for way in ("forward", "backward"))
    return f"course_elmo of perplexity {ahead:.1f} forward, {back:.1f} backward"


def _task(name: str, size: int, variant: str, seed: int, steps: int | None, needs: str) -> Job:
    run = partial(tasks.run, name, size, variant, seed, steps)
    return Job((f"{name} {size}", variant, seed), needs, lambda: [run()])


@lru_cache(maxsize=1)
def _adapted_model(steps: int | None) -> BiLanguageModel:
    return domain.adapted(steps)


def _perplexities(steps: int | None) -> list[Row]:
    return [
        *domain.perplexity_rows(language_model(), "before"),
        *domain.perplexity_rows(_adapted_model(steps), "after"),
    ]


def _adapted(size: int, seed: int, steps: int | None) -> list[Row]:
    return [domain.run_adapted(size, seed, _adapted_model(steps), steps)]


def load_lecture10(path: str | Path = RESULTS) -> list[Row]:
    """Return the shipped rows, or those of another file."""
    rows: list[Row] = load_rows(path)["rows"]
    return rows


class Scores(NamedTuple):
    """The scores of one task and variant, seeds together, by size."""

    sizes: list[int]
    seeds: list[list[float]]  # one list a size, seeds in order: two variants can be paired

    def at(self, size: int) -> np.ndarray:
        """Return every seed's score at one size."""
        seeds: np.ndarray = np.array(self.seeds[self.sizes.index(size)])
        return seeds


def scores_of(task: str, variant: str, rows: Iterable[Row] | None = None) -> Scores:
    """Look up every seed of one variant on one task, from the smallest size to the largest."""
    found: dict[int, dict[int, float]] = {}
    for row in load_lecture10() if rows is None else rows:
        if (row["task"], row["variant"]) == (task, variant):
            found.setdefault(row["size"], {})[row["seed"]] = row["score"]
    if not found:
        raise LookupError(f"{task}, {variant} was not run: course train lecture10 runs it")
    sizes = sorted(found)
    return Scores(sizes, [[found[size][seed] for seed in sorted(found[size])] for size in sizes])


def lead(task: str, variant: str, other: str, rows: Iterable[Row]) -> list[float]:
    """Return by how much one variant is ahead of another, the middle seed, size after size."""
    rows = list(rows)
    ours, theirs = (scores_of(task, name, rows) for name in (variant, other))
    return [float(np.median(ours.at(size) - theirs.at(size))) for size in ours.sizes]


class Probed(NamedTuple):
    """What a line reads out of each layer, (L + 1, seeds): gold labels, and its control's."""

    gold: np.ndarray
    control: np.ndarray

    @property
    def selectivity(self) -> np.ndarray:
        """Return how much of the gold is not memory, layer by layer and seed by seed."""
        beyond: np.ndarray = self.gold - self.control
        return beyond


def probed(task: str, gold: str, source: str, rows: Iterable[Row] | None = None) -> Probed:
    """Look up a probe: probed("sense probe", "senses", "elmo")."""
    rows = load_lecture10() if rows is None else list(rows)
    found = (scores_of(task, f"{source} {about}", rows).seeds for about in (gold, "control"))
    return Probed(*map(np.array, found))
