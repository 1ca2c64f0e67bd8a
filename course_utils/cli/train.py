"""`course train`, which is also what `torchrun -m course_utils.training` understands."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from course_utils.cli.names import unknown
from course_utils.cli.out import out_folder
from course_utils.files import plain_name
from course_utils.numbers import whole_or_rounded

EPILOG = "On many processes: torchrun --nproc-per-node 2 -m course_utils.training NAME"
INTERRUPTED = 130  # what a shell reports for a program that Ctrl-C ended

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command(epilog=EPILOG)
def train(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="The recipe, or the race; without one, all are listed."
        ),
    ] = "",
    show_all: Annotated[
        bool, typer.Option("--list", help="Show every recipe and every race, and exit.")
    ] = False,
    out: Annotated[
        Path, typer.Option(parser=out_folder, metavar="FOLDER", help="Folder for what is made.")
    ] = Path("trained"),
    device: Annotated[
        str | None, typer.Option(metavar="NAME", help="cuda, mps or cpu; by default the best here.")
    ] = None,
    steps: Annotated[
        int | None, typer.Option(metavar="N", help="Instead of what the recipe says.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue a stopped run; leave a finished one alone.")
    ] = False,
) -> None:
    """Retrain a model of the course.

    A model of that name in the folder is replaced only if this command made it and its card
    says so; results of a race never are. counting-race writes what it found on the counters' cards.
    """
    if show_all or not name:
        print(listing())
        return

    from course_utils.training.parallel.distributed import LostProcess
    from course_utils.training.resume.checkpoints import Refused
    from course_utils.training.step import Diverged

    try:
        work = Work(plain_name(name), out, device, steps, resume)
        code = _race(work) if _is_race(work.name) else _train(work)
    except (ValueError, OSError, Diverged, LostProcess) as error:
        if _is_first() or not isinstance(error, Refused):  # all were told, one speaks
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


def _train(work: Work) -> int:
    from course_utils.training.recipes.run_recipe import train as run

    outcome = run(work.name, work.out, work.device, work.steps, work.resume)
    if _is_first():
        print(outcome)
    return INTERRUPTED if outcome.was_interrupted else 0


def _is_first() -> bool:
    """Return whether this is the only process, or the first one of torchrun's."""
    return os.environ.get("RANK", "0") == "0"


def _is_race(name: str) -> bool:
    """Return whether a name is a race's, not a recipe's; raise ValueError where it is neither."""
    from course_utils.data.sets.catalogue import ENTRIES
    from course_utils.training.race.race import all_races
    from course_utils.training.recipes.recipe import all_recipes

    recipes = all_recipes()
    if name in recipes or name in (races := all_races()):
        return name not in recipes
    if found := next((known for known in ENTRIES if known.name == name), None):
        bring = f"fetch {name}" if found.is_fetchable else f"add {name} FILE ..."
        raise ValueError(f"{name} is a data set, not a recipe: `course data {bring}`")
    raise ValueError(unknown(name, "recipe", [*recipes, *races], "course train --list"))


def _race(work: Work) -> int:
    from course_utils.training.race.race import all_races
    from course_utils.training.race.run_race import run_race

    try:
        print(run_race(all_races()[work.name], work.out, work.steps, work.device, work.resume))
    except KeyboardInterrupt as stop:
        typer.echo(f"course train: {stop}; --resume goes on after what is finished", err=True)
        return INTERRUPTED
    return 0


def listing() -> str:
    """Return one line for every recipe, and one more where its model comes with the course."""
    from course_utils.models.model_file import shipped_cards
    from course_utils.training.race.race import all_races
    from course_utils.training.recipes.recipe import all_recipes

    lines, shipped, races = [], shipped_cards(), all_races()
    wide = max(map(len, [*all_recipes(), *races])) + 1
    for name, recipe in all_recipes().items():
        lines.append(f"{name:<{wide}}{recipe.config.steps:>6,} steps  {recipe.about}")
        lines.append(f"{'':<{wide + 14}}learns from {recipe.data}")
        if name in shipped:
            lines.append(f"{'':<{wide + 14}}{_of_shipped(shipped[name])}")
    lines += [f"{name:<{wide}}{'':14}{race.about}" for name, race in races.items()]
    return "\n".join(lines)


def _of_shipped(card: dict[Any, Any]) -> str:
    """Say what the shipped model reached, and how long that took."""
    found = ((name.replace("_", " "), value) for name, value in card["metrics"].items())
    seconds = card["seconds"]
    took = f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
    numbers = ", ".join(f"{name} {whole_or_rounded(value)}" for name, value in found)
    return f"comes with the course: {numbers}; made in {took}"
