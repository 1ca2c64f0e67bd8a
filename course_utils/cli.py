"""The command `course`: each sub-command calls the part of the package that does the work."""

from __future__ import annotations

import typer

app = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False)


@app.command()
def doctor() -> None:
    """Check this machine: versions, device, threads, disk, speed, and what to do about each."""
    from course_utils.doctor import examine

    raise typer.Exit(examine())


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def lab(context: typer.Context) -> None:
    """Open JupyterLab on the first lecture; what follows goes to JupyterLab, as --port=9000."""
    from course_utils.lab import NoLectures, open_lab

    try:
        open_lab(context.args)
    except NoLectures as error:
        typer.echo(error, err=True)
        raise typer.Exit(1) from None


if __name__ == "__main__":
    app()
