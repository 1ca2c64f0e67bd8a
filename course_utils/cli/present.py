"""What opens a lecture: in JupyterLab, on the wall, and its notes on paper."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from course_utils.cli.out import out_folder

NUMBER = Annotated[str, typer.Argument(metavar="LECTURE", help="Its number, such as 03.")]
CHOICE = Annotated[
    str | None, typer.Argument(metavar="LECTURE", help="Its number, such as 05; 00 if left out.")
]
OPTIONS = Annotated[
    list[str] | None,
    typer.Argument(metavar="OPTION", help="Options for JupyterLab, such as --port=9000."),
]


def lab(lecture: CHOICE = None, options: OPTIONS = None) -> None:
    """Open JupyterLab on a lecture, or on the first one."""
    from course_utils.lab import open_lab

    extra = options or []
    with in_one_line():
        if lecture is not None and _is_for_jupyterlab(lecture):
            open_lab(extra=[lecture, *extra])
        else:
            open_lab(lecture, extra)


def start(
    folder: Annotated[
        Path, typer.Argument(parser=out_folder, metavar="FOLDER", help="Where your copies go.")
    ] = Path("recurrent-course"),
    only_copy: Annotated[
        bool, typer.Option("--only-copy", help="Copy the lectures, and do not open JupyterLab.")
    ] = False,
) -> None:
    """Copy the lectures into a folder and open JupyterLab on the first.

    A file that is there stays as it is: start again in the same folder, and you go on.
    """
    from course_utils.lab import copy_lectures, open_lab

    try:
        copied, there = copy_lectures(folder)
    except OSError as error:
        typer.echo(f"the lectures cannot be copied to {folder}: {error}", err=True)
        raise typer.Exit(1) from None
    kept = f", {len(there)} were there and stay as they are" if there else ""
    print(f"{len(copied)} lectures copied to {folder / 'notebooks'}{kept}")
    if not only_copy:
        os.chdir(folder)
        open_lab()


def _is_for_jupyterlab(word: str) -> bool:
    """Return whether the first word is an option, or a file or folder that is not a lecture."""
    is_there = bool(word) and Path(word).exists()
    return word.startswith("-") or (is_there and not Path(word).stem[:2].isdigit())


def present(
    lecture: NUMBER,
    options: OPTIONS = None,
    short: Annotated[
        bool, typer.Option("--short", help="Leave out the exercises; e brings them back.")
    ] = False,
) -> None:
    """Open a lecture as slides: run it, start at the first; `?` shows the keys."""
    from course_utils.lab import open_lab

    with in_one_line():
        open_lab(lecture, options or [], as_slides=True, short=short)


def notes(
    lecture: NUMBER,
    out: Annotated[
        Path, typer.Option(parser=out_folder, metavar="FOLDER", help="Folder for the page.")
    ] = Path("build", "notes"),
) -> None:
    """Write a lecture's notes as a page to print.

    They are for the presenter, and need no network. A second call replaces only that page.
    """
    from course_utils.lab import find_course, find_lecture
    from course_utils.pages.notes_page import write_notes

    with in_one_line():
        course = find_course()
        print(write_notes(course / find_lecture(course, lecture), out))


@contextmanager
def in_one_line() -> Iterator[None]:
    """Say that there are no lectures, without a traceback."""
    from course_utils.lab import NoLectures

    try:
        yield
    except NoLectures as error:
        typer.echo(error, err=True)
        raise typer.Exit(1) from None
