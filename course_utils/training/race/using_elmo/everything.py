"""Run all that lecture 10 shows, in an order that leaves a whole file after every run.

"Never worse with ELMo" is not what the shipped file says: on film reviews words alone win, and on
the era static vectors do. The curve of the era ends at 2,500 labels, where unread sentences end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from course_utils.models.elmo import BiLanguageModel
from course_utils.models.model_file import shipped_cards
from course_utils.results.files import Row
from course_utils.results.using_elmo import MAIN, SETTINGS, SETTINGS_AT, SIZES
from course_utils.training.race.race import Lap, Race, register
from course_utils.training.race.using_elmo import domain, gaps, insides, tasks
from course_utils.training.race.using_elmo.sources import SOURCES, language_model

SEEDS = 5
ADAPTED_AT = (50, 1000)  # labels of film reviews
REGISTERED = ("ud_english_ewt", "sentence_polarity", "senseval")


def laps(steps: int | None, device: str | None) -> Iterator[Lap]:
    """Yield everything there is to run, on the CPU; what reads the same layers stands together."""
    yield from _curves(steps)
    yield from _settings(steps)
    yield from _insides()
    yield from _domain(steps)
    for seed in range(SEEDS):
        yield _lap("gap", "", seed, partial(gaps.run_gaps, seed, steps))


def _curves(steps: int | None) -> Iterator[Lap]:
    for name, sizes in SIZES.items():
        for variant in MAIN:
            for size in sizes:
                for seed in range(SEEDS):
                    yield _task(name, size, variant, seed, steps)


def _settings(steps: int | None) -> Iterator[Lap]:
    for name, size in SETTINGS_AT:
        main = () if name in SIZES else ("words", "elmo")
        for variant in (*main, *SETTINGS):
            for seed in range(SEEDS):
                yield _task(name, size, variant, seed, steps)


def _insides() -> Iterator[Lap]:
    for source in SOURCES:
        for seed in range(SEEDS):
            run = partial(insides.probe, source, seed)
            yield _lap("probe", source, seed, run, "ud_english_ewt")
            run = partial(insides.sense_probe, source, seed)
            yield _lap("sense probe", source, seed, run, "senseval")
    for seed in range(SEEDS):
        yield _lap("senses", "", seed, partial(insides.senses, seed), "senseval")


def _domain(steps: int | None) -> Iterator[Lap]:
    yield _lap("perplexity", "", 0, partial(_perplexities, steps), domain.DOMAIN)
    yield _lap("nats", "", 0, partial(_nats, steps), domain.DOMAIN)
    for size in ADAPTED_AT:
        for seed in range(SEEDS):
            run = partial(_adapted, size, seed, steps)
            yield _lap(f"adapted {size}", "", seed, run, domain.DOMAIN)


def _task(name: str, size: int, variant: str, seed: int, steps: int | None) -> Lap:
    def run() -> list[Row]:
        return [tasks.run(name, size, variant, seed, steps)]

    return _lap(f"{name} {size}", variant, seed, run, name if name in REGISTERED else "")


def _lap(task: str, variant: str, seed: int, run: Callable[[], list[Row]], needs: str = "") -> Lap:
    """Mark a lap's rows by what they share; tasks with sizes carry theirs in the name."""
    return Lap({"job": [task, variant, seed]}, run, needs)


@lru_cache(maxsize=1)
def _adapted_model(steps: int | None) -> BiLanguageModel:
    return domain.adapted(steps)


def _perplexities(steps: int | None) -> list[Row]:
    return [
        *domain.perplexity_rows(language_model(), "before"),
        *domain.perplexity_rows(_adapted_model(steps), "after"),
    ]


def _nats(steps: int | None) -> list[Row]:
    return [
        *domain.nats_rows(language_model(), "before"),
        *domain.nats_rows(_adapted_model(steps), "after"),
    ]


def _adapted(size: int, seed: int, steps: int | None) -> list[Row]:
    return [domain.run_adapted(size, seed, _adapted_model(steps), steps)]


def which_bilm() -> str:
    """Say which model the numbers belong to."""
    reached = shipped_cards()["course_elmo"]["metrics"]
    ahead, back = (reached[f"{way}_perplexity"] for way in ("forward", "backward"))
    return f"course_elmo of perplexity {ahead:.1f} forward, {back:.1f} backward"


def said(row: Row) -> str:
    """Say what one run reached."""
    return f"{row['task']} {row['size']} {row['variant']}, seed {row['seed']}: {row['score']}"


RACE = register(
    Race(
        "lecture10",
        "what ELMo gives to tasks and what its layers know: every number of lecture 10",
        laps,
        said,
        sets=REGISTERED,
        model=which_bilm,
    )
)
