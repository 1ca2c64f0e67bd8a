"""`course train`, which is also what `torchrun -m course_utils.training` understands."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from course_utils.cli.names import unknown
from course_utils.files import plain_name

EPILOG = "On many processes: torchrun --nproc-per-node 2 -m course_utils.training NAME"
INTERRUPTED = 130  # what a shell reports for a program that Ctrl-C ended

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(epilog=EPILOG)
def train(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="The recipe, or the race; without one, all are listed."
        ),
    ] = "",
    show_all: Annotated[
        bool, typer.Option("--list", help="Show every recipe and every race, and end.")
    ] = False,
    out: Annotated[Path, typer.Option(help="Folder for the model and its card.")] = Path("trained"),
    device: Annotated[
        str | None, typer.Option(help="cuda, mps or cpu; without it, the best one here.")
    ] = None,
    steps: Annotated[int | None, typer.Option(help="Instead of what the recipe says.")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on where a run stopped; leave a finished one.")
    ] = False,
    shard: Annotated[
        bool,
        typer.Option("--shard", help="Give each process a share of the model, not a copy."),
    ] = False,
) -> None:
    """Train a model of the course again from its recipe."""
    if show_all or not name:
        print(listing())
        return

    from course_utils.training.parallel.distributed import LostProcess
    from course_utils.training.resume.checkpoints import Refused
    from course_utils.training.step import Diverged

    try:
        work = Work(plain_name(name), out, device, steps, resume, shard)
        code = RACES[work.name].run(work) if work.name in RACES else _train(work)
    except (ValueError, OSError, Diverged, LostProcess) as error:
        if _is_first() or not isinstance(error, Refused):  # of what all were told, one speaks
            typer.echo(f"course train: {error}", err=True)
        code = 1
    raise typer.Exit(code)


class Work(NamedTuple):
    """What was asked for."""

    name: str
    out: Path
    device: str | None
    steps: int | None
    resume: bool
    shard: bool


def _train(work: Work) -> int:
    from course_utils.training.recipes.run_recipe import train as run

    _check_name(work.name)
    outcome = run(work.name, work.out, work.device, work.steps, work.resume, shard=work.shard)
    if _is_first():
        print(outcome)
    return INTERRUPTED if outcome.was_interrupted else 0


def _is_first() -> bool:
    """Return whether this is the only process, or the first one of torchrun's."""
    return os.environ.get("RANK", "0") == "0"


def _check_name(name: str) -> None:
    """Raise ValueError for a name that is no recipe's, and say whose it is or may be."""
    from course_utils.data.sets.catalogue import ENTRIES
    from course_utils.training.recipes.recipe import all_recipes

    recipes = all_recipes()
    if name in recipes:
        return
    if found := next((known for known in ENTRIES if known.name == name), None):
        bring = f"fetch {name}" if found.is_fetchable else f"add {name} FILE ..."
        raise ValueError(f"{name} is a data set, not a recipe: `course data {bring}`")
    raise ValueError(unknown(name, "recipe", [*recipes, *RACES], "course train --list"))


def _race_networks(work: Work) -> int:
    """Write OUT/race.json."""
    from course_utils.training.race.results import RESULTS, run_races, save_results

    if work.resume:
        raise ValueError("this race runs as a whole and has nothing to resume")
    with _race_alone(work):
        try:
            results = run_races(steps=work.steps, device=work.device)
        except KeyboardInterrupt as stop:
            typer.echo(f"course train: {stop}; nothing was written", err=True)
            return INTERRUPTED
        print(save_results(results, work.out / RESULTS.name))
    return 0


def _race_words(work: Work) -> int:
    """Write OUT/word_race.json."""
    from course_utils.training.race.words import RESULTS, race_words

    return _race_by_and_by(work, RESULTS.name, race_words)


def _race_characters(work: Work) -> int:
    """Write OUT/characters_race.json."""
    from course_utils.training.race.characters import RESULTS, race_characters

    return _race_by_and_by(work, RESULTS.name, race_characters)


def _race_counters(work: Work) -> int:
    """Write OUT/counting_race.json, and on the cards beside it how far every seed came."""
    from course_utils.training.race.counting import RESULTS, race_counters, tell_cards

    code = _race_by_and_by(work, RESULTS.name, race_counters)
    if code == 0:
        tell_cards(work.out / RESULTS.name)
    return code


def _race_elmo(work: Work) -> int:
    """Write OUT/elmo_sharing.json."""
    from course_utils.training.race.elmo import RESULTS, race_elmo

    return _race_by_and_by(work, RESULTS.name, race_elmo)


def _race_taggers(work: Work) -> int:
    """Write OUT/tagging_race.json."""
    from course_utils.training.race.tagging import REGISTERED, RESULTS, race_taggers

    return _race_by_and_by(work, RESULTS.name, race_taggers, REGISTERED)


def _race_lecture10(work: Work) -> int:
    """Write OUT/lecture10.json."""
    from course_utils.training.race.using_elmo.everything import REGISTERED, RESULTS, run_lecture10

    return _race_by_and_by(work, RESULTS.name, run_lecture10, REGISTERED)


def _race_by_and_by(
    work: Work, file: str, run: Callable[..., Path], sets: Sequence[str] = ()
) -> int:
    """Write OUT/FILE; until all have run, what is finished stands in a file beside it.

    What needs a set that is not in the cache cannot run: then that file stays the one beside.
    """
    from course_utils.data.sets.registry import problems
    from course_utils.training.race.one_by_one import begun

    path = work.out / file
    unfinished = path.with_name(f"{path.stem}.unfinished.json")
    with _race_alone(work):
        if work.resume and path.exists() and not unfinished.exists():
            begun(path, work.steps)  # of another number of steps, or damaged: raises
            print(f"{path} is finished and left as it is")
            return 0
        if unfinished.exists() and not work.resume:
            raise ValueError(
                f"{unfinished} holds a race already: go on with --resume, choose another folder, "
                "or delete it"
            )
        try:
            run(unfinished, steps=work.steps, device=work.device)
        except KeyboardInterrupt as stop:
            typer.echo(f"course train: {stop}; --resume goes on after what is finished", err=True)
            return INTERRUPTED
        if lacking := [name for name in sets if problems(name)]:
            typer.echo(
                f"course train: {unfinished} lacks the rows that need {', '.join(lacking)}: get "
                f"them with `course data fetch {lacking[0]}`, then go on with --resume",
                err=True,
            )
            return 1
        os.replace(unfinished, path)
        print(path)
    return 0


@contextmanager
def _race_alone(work: Work) -> Iterator[None]:
    """Let one process race into a folder, and sweep what a killed one left half-written."""
    from course_utils.files import sweep_partials
    from course_utils.settings import choose_device
    from course_utils.training.resume.one_writer import one_run

    _check_race(work)
    with one_run(work.out / f".{work.name}.lock", choose_device(work.device)):
        sweep_partials(work.out, f"{work.name}.*")
        yield


def _check_race(work: Work) -> None:
    from course_utils.training.resume.checkpoints import Refused

    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        raise Refused("a race is many small runs, one after the other: start it without torchrun")
    if work.steps is not None and work.steps < 1:
        raise ValueError(f"steps must be at least 1, not {work.steps}")
    if work.shard:
        raise ValueError("the networks of a race are small: they run without --shard")


class RaceCommand(NamedTuple):
    """Not one model: many runs and one file of results."""

    about: str
    run: Callable[[Work], int]


RACES = {
    "race": RaceCommand(
        "Elman, GRU and LSTM on the memory tasks of lecture 04, three seeds each", _race_networks
    ),
    "word_race": RaceCommand(
        "n-grams and an LSTM on more and more of the English corpus, lecture 01", _race_words
    ),
    "characters_race": RaceCommand(
        "n-grams and an LSTM on more and more source code, lecture 07", _race_characters
    ),
    "counting_race": RaceCommand(
        "how far the networks of lecture 05 count, one seed after the other",
        _race_counters,
    ),
    "elmo_sharing": RaceCommand(
        "biLMs whose directions share letters and softmax, or not, lecture 09", _race_elmo
    ),
    "tagging_race": RaceCommand(
        "taggers and classifiers of lecture 08: directions, sizes, pooling, labels", _race_taggers
    ),
    "lecture10": RaceCommand(
        "what ELMo gives to tasks and what its layers know: every number of lecture 10",
        _race_lecture10,
    ),
}


def listing() -> str:
    """Return one line for every recipe, and one more where its model comes with the course."""
    from course_utils.models.model_file import shipped_cards
    from course_utils.training.recipes.recipe import all_recipes

    lines, shipped = [], shipped_cards()
    for name, recipe in all_recipes().items():
        lines.append(f"{name:<14} {recipe.config.steps:>7,} steps  {recipe.about}")
        if name in shipped:
            lines.append(f"{'':<30}{_of_shipped(shipped[name])}")
    races = (f"{name:<14} {'':>13}  {race.about}" for name, race in RACES.items())
    return "\n".join([*lines, *races])


def _of_shipped(card: dict) -> str:
    """Say what the shipped model reached, and how long that took."""
    numbers = ", ".join(f"{name} {value:.1f}" for name, value in card["metrics"].items())
    return f"comes with the course: {numbers}; made in {card['seconds'] / 60:.0f} min"
