"""The command `course`: each sub-command calls the part of the package that does the work."""

from __future__ import annotations

from pathlib import Path

import typer

ROOT = Path(__file__).resolve().parents[1]  # the checkout: notebooks and solutions lie beside

app = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False)


@app.command()
def doctor() -> None:
    """Check this machine: versions, device, threads, disk, speed, and what to do about each."""
    from course_utils.doctor import examine

    raise typer.Exit(examine())


PASS_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


@app.command(context_settings=PASS_ON)
def train(context: typer.Context) -> None:
    """Train a model of the course again from its recipe: NAME, or --list to see them all."""
    from course_utils.training.recipes.command import main

    raise typer.Exit(main(context.args))


@app.command(context_settings=PASS_ON)
def data(context: typer.Context) -> None:
    """See, fetch, add, verify and remove larger data sets: list, fetch NAME, add NAME FILE."""
    from course_utils.data.sets.command import main

    raise typer.Exit(main(context.args))


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def lab(context: typer.Context) -> None:
    """Open JupyterLab on the first lecture; what follows goes to JupyterLab, as --port=9000."""
    from course_utils.lab import NoLectures, open_lab

    try:
        open_lab(context.args)
    except NoLectures as error:
        typer.echo(error, err=True)
        raise typer.Exit(1) from None


@app.command()
def solved(out: Path = ROOT / "build" / "solved") -> None:
    """Write the lectures with the solutions put in."""
    from course_utils.authoring.solved import write_solved

    try:
        copies = write_solved(ROOT / "notebooks", ROOT / "solutions", out)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    print(f"{len(copies)} solved lectures in {out}")


@app.command()
def claims(lecture: list[str] = typer.Argument(None), recorded: bool = False) -> None:  # noqa: B008
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
    """Renew what docs/ shows of the lectures and the layers: tables and pictures."""
    from course_utils.authoring.docs import update_docs

    update_docs(ROOT)


if __name__ == "__main__":
    app()
