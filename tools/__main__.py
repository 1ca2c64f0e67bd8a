"""Run `python -m tools COMMAND` in the checkout: what keeps the lectures true."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from course_utils.cli.one_line import OneLine
from course_utils.cli.out import out_folder
from course_utils.lab import find_lecture

ROOT = Path(__file__).resolve().parents[1]

app = typer.Typer(
    cls=OneLine,
    rich_markup_mode=None,
    help=__doc__,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.command()
def rules(
    folder: Annotated[
        Path | None, typer.Argument(help="Of lectures; by default the course's, and its docs.")
    ] = None,
) -> None:
    """Report what is wrong with the lectures.

    Also report each lecture's share of prose and, unless a folder is named, which tables of docs/
    are out of date.
    """
    from tools.check import check

    raise typer.Exit(check(ROOT, folder))


@app.command()
def javascript(
    folders: Annotated[
        list[Path] | None, typer.Argument(help="Of scripts; without one, all of the course's.")
    ] = None,
) -> None:
    """Check the course's JavaScript: deck, explorers, room and site.

    Its types are held against those of JupyterLab and anywidget. This needs node and npm.
    """
    from tools.javascript import SCRIPTS, check

    raise typer.Exit(check(folders or SCRIPTS))


@app.command()
def solved(
    out: Annotated[
        Path, typer.Option(parser=out_folder, metavar="FOLDER", help="Folder for the copies alone.")
    ] = Path("build", "solved"),
) -> None:
    """Write the lectures with their solutions.

    The folder is theirs alone. A second call replaces these copies, and nothing else.
    """
    from tools.solved import write_solved

    copies = write_solved(ROOT / "notebooks", ROOT / "solutions", out)
    print(f"{len(copies)} solved lectures in {out}")


@app.command()
def claims(
    lecture: Annotated[
        list[str] | None,
        typer.Argument(metavar="LECTURE", help="Its number, such as 03; without one, all."),
    ] = None,
    recorded: Annotated[
        bool, typer.Option("--recorded", help="Measure nothing: show what was recorded.")
    ] = False,
) -> None:
    """Measure claims and renew docs/claims.md.

    Lectures run as they are and in their false worlds; their part of the page is printed.
    """
    from tools.claims.table import measure_lectures, out_of_date, sections_of

    wanted = [find_lecture(ROOT, number).stem for number in lecture or []]
    wrong = out_of_date(ROOT) if recorded else measure_lectures(ROOT, wanted)
    for name, section in sections_of(ROOT).items():
        if not wanted or name in wanted:
            print(section)
    for what in wrong:
        print(what)
    raise typer.Exit(1 if wrong else 0)


@app.command()
def api() -> None:
    """Write a page about every module to build/api."""
    from tools.api import modules, write

    write(ROOT / "build" / "api", modules())
    print(ROOT / "build" / "api" / "index.html")


@app.command()
def docs() -> None:
    """Update the generated parts of docs/.

    This replaces docs/crosswalk.md and the table of layers in docs/architecture.md.
    """
    from tools.docs import update_docs

    update_docs(ROOT)


if __name__ == "__main__":
    app(prog_name="python -m tools")
