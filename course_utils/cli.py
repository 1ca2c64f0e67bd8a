"""The command `course`: each sub-command calls the part of the package that does the work."""

from __future__ import annotations

import typer

app = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False)


@app.command()
def doctor() -> None:
    """Check this machine: versions, device, threads, disk, speed, and what to do about each."""
    from course_utils.doctor import examine

    raise typer.Exit(examine())


if __name__ == "__main__":
    app()
