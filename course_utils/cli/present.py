"""What an instructor types: a lecture on the wall, and its notes on paper."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

NUMBER = Annotated[str, typer.Argument(metavar="LECTURE", help="Its number, as 03.")]


def present(
    lecture: NUMBER,
    options: Annotated[
        list[str] | None,
        typer.Argument(metavar="OPTION", help="What JupyterLab understands, as --port=9000."),
    ] = None,
) -> None:
    """Open a lecture as slides: run it, start at the first, `?` for the keys."""
    from course_utils.lab import NoLectures, open_lab

    try:
        open_lab(options or [], present=lecture)
    except NoLectures as error:
        typer.echo(error, err=True)
        raise typer.Exit(1) from None


def notes(
    lecture: NUMBER,
    out: Annotated[Path, typer.Option(help="Folder for the page.")] = Path("build/notes"),
) -> None:
    """Write a lecture's notes for the presenter as one page to print; it needs no network."""
    from course_utils.authoring.notes_page import write_notes
    from course_utils.lab import NoLectures, find_course, find_lecture

    try:
        course = find_course()
        print(write_notes(course / find_lecture(course, lecture), out))
    except NoLectures as error:
        typer.echo(error, err=True)
        raise typer.Exit(1) from None
