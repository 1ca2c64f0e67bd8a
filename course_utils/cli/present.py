"""What opens a lecture: in JupyterLab, on the wall, and its notes on paper."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

NUMBER = Annotated[str, typer.Argument(metavar="LECTURE", help="Its number, as 03.")]


OPTIONS = Annotated[
    list[str] | None,
    typer.Argument(metavar="OPTION", help="What JupyterLab understands, as --port=9000."),
]


def lab(options: OPTIONS = None) -> None:
    """Open JupyterLab on the first lecture."""
    from course_utils.lab import open_lab

    with _in_one_line():
        open_lab(options or [])


def present(lecture: NUMBER, options: OPTIONS = None) -> None:
    """Open a lecture as slides: run it, start at the first, `?` for the keys."""
    from course_utils.lab import open_lab

    with _in_one_line():
        open_lab(options or [], present=lecture)


def notes(
    lecture: NUMBER,
    out: Annotated[Path, typer.Option(help="Folder for the page.")] = Path("build/notes"),
) -> None:
    """Write a lecture's notes for the presenter as one page to print; it needs no network."""
    from course_utils.authoring.notes_page import write_notes
    from course_utils.lab import find_course, find_lecture

    with _in_one_line():
        course = find_course()
        print(write_notes(course / find_lecture(course, lecture), out))


@contextmanager
def _in_one_line() -> Iterator[None]:
    """Say that there are no lectures, without a traceback."""
    from course_utils.lab import NoLectures

    try:
        yield
    except NoLectures as error:
        typer.echo(error, err=True)
        raise typer.Exit(1) from None
