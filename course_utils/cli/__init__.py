"""Open the course, look at this machine, train its models again, fetch larger data sets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from course_utils.cli import data, embed, present, train

ROOT = Path(__file__).resolve().parents[2]  # the checkout: notebooks and solutions lie beside

app = typer.Typer(
    help=__doc__,
    epilog="course COMMAND --help says more about each.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


app.command(context_settings={"ignore_unknown_options": True})(present.lab)
app.command(context_settings={"ignore_unknown_options": True})(present.present)
app.command()(present.notes)


@app.command()
def doctor() -> None:
    """Check this machine: versions, device, threads, disk, speed, and what to do about each."""
    from course_utils.doctor import examine

    raise typer.Exit(examine())


@app.command()
def progress(
    where: Annotated[bool, typer.Option("--where", help="Name the file it is kept in.")] = False,
) -> None:
    """Show which exercises of which lecture are solved."""
    from course_utils.checks.progress import progress_file, read_progress

    path = progress_file()
    if where:
        print(path or "COURSE_PROGRESS=off: nothing is kept")
        return
    print(read_progress())


app.command(epilog=train.EPILOG)(train.train)
app.command(epilog=embed.EPILOG)(embed.embed)
app.add_typer(data.app, name="data")


@app.command()
def solved(
    out: Annotated[Path, typer.Option(help="Folder for the copies.")] = ROOT / "build" / "solved",
) -> None:
    """Write the lectures with the solutions put in."""
    from course_utils.authoring.solved import write_solved

    try:
        copies = write_solved(ROOT / "notebooks", ROOT / "solutions", out)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    print(f"{len(copies)} solved lectures in {out}")


@app.command()
def claims(
    lecture: Annotated[
        list[str] | None, typer.Argument(metavar="LECTURE", help="As 03; without one, all.")
    ] = None,
    recorded: Annotated[
        bool, typer.Option("--recorded", help="Measure nothing: show what was recorded.")
    ] = False,
) -> None:
    """Measure all claims in their lectures and in false worlds, renew docs/claims.md, print it."""
    from course_utils.authoring.claims.table import measure_lectures, out_of_date, sections_of

    wrong = out_of_date(ROOT) if recorded else measure_lectures(ROOT, lecture or [])
    for name, section in sections_of(ROOT).items():
        if not lecture or name[:2] in lecture:
            print(section)
    for what in wrong:
        print(what)
    raise typer.Exit(1 if wrong else 0)


@app.command()
def docs() -> None:
    """Renew what docs/ says of the lectures and the layers."""
    from course_utils.authoring.docs import update_docs

    update_docs(ROOT)
