"""`course data`: list, fetch, add, verify and remove data sets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from course_utils.cli.names import unknown
from course_utils.files import plain_name

if TYPE_CHECKING:
    from course_utils.data.sets.catalogue import Entry

app = typer.Typer(
    help="Larger and classic data sets, verified before use. No lecture needs one.",
    epilog="COURSE_DATA=DIR keeps them elsewhere; COURSE_OFFLINE=1 forbids the network.",
    no_args_is_help=True,
)
Names = Annotated[list[str], typer.Argument(metavar="NAME", help="Data sets, named as in `list`.")]


@app.command("list")
def show() -> None:
    """Show every data set, its size, its licence, and whether it is here."""
    from course_utils.data.sets.cache import cache_folder
    from course_utils.data.sets.catalogue import ENTRIES

    with _in_one_line():
        print(f"cache: {cache_folder()}")
        here = {known.name for known in ENTRIES if _is_here(known)}
    for known in ENTRIES:
        size = "size unknown" if known.size is None else f"{known.size / 1e6:.1f} MB"
        mark = "here" if known.name in here else ""
        print(f"{known.name:<20} {size:>12}  {mark:<4}  {known.about}")
        print(f"{'':<40}{known.licence}; {known.citation}")
        if known.weakness:
            print(f"{'':<40}{known.weakness}")


@app.command()
def fetch(names: Names) -> None:
    """Download data sets."""
    from course_utils.data.sets import registry

    with _in_one_line():
        for wanted in _entries(names):
            print(f"{wanted.name}: {registry.fetch(wanted)}\n  {wanted.licence}; {wanted.citation}")


@app.command()
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The data set, named as in `list`.")],
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Its files, gzipped or not.")],
) -> None:
    """Add a data set from files that you have."""
    from course_utils.data.sets import registry

    with _in_one_line():
        (wanted,) = _entries([name])
        if missing := registry.add(wanted, files):
            print(f"{name} is not complete yet: still missing {', '.join(missing)}")
            raise typer.Exit(1)
        print(f"{name}: {registry.fetch(wanted)}")


@app.command()
def verify(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Without a name, all that are here.")
    ] = None,
) -> None:
    """Verify every byte of data sets."""
    from course_utils.data.sets import registry
    from course_utils.data.sets.catalogue import ENTRIES

    with _in_one_line():
        wanted = _entries(names) if names else [known for known in ENTRIES if _is_here(known)]
        if not wanted:
            print("nothing to verify: no set has been fetched. `course data fetch` gets one")
        found = {known.name: registry.problems(known) for known in wanted}
        for known in wanted:
            right = "every byte is right" + (f" ({known.weakness})" if known.weakness else "")
            print(f"{known.name}: {'; '.join(found[known.name]) or right}")
    raise typer.Exit(1 if any(found.values()) else 0)


@app.command()
def remove(names: Names) -> None:
    """Delete data sets from the cache."""
    from course_utils.data.sets import registry

    with _in_one_line():
        for wanted in _entries(names):
            print(f"{wanted.name}: {'removed' if registry.remove(wanted) else 'was not here'}")


@contextmanager
def _in_one_line() -> Iterator[None]:
    """Say what went wrong, without a traceback."""
    try:
        yield
    except (ValueError, OSError) as error:
        typer.echo(f"course data: {error}", err=True)
        raise typer.Exit(1) from None


def _entries(names: list[str]) -> list[Any]:
    """Return the sets of these names; for an unknown name, say what it may be."""
    from course_utils.data.sets.catalogue import ENTRIES

    sets = {known.name: known for known in ENTRIES}
    for name in names:
        if name not in sets:
            raise ValueError(_unknown(name, list(sets)))
    return [sets[name] for name in names]


def _unknown(name: str, sets: list[str]) -> str:
    from course_utils.training.recipes.recipe import all_recipes

    if plain_name(name) in all_recipes():
        return f"{name} is a model of the course, not a data set: `course train {name}` makes it"
    return unknown(name, "set", sets, "course data list")


def _is_here(known: Entry) -> bool:
    from course_utils.data.sets import registry
    from course_utils.data.sets.cache import cache_folder

    return (cache_folder() / known.name / registry.MANIFEST).exists()
