"""What makes pages that live without a kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from course_utils.cli.out import out_folder
from course_utils.cli.present import NUMBER, in_one_line

PLACE = Path("build", "site")


def site(
    out: Annotated[
        Path, typer.Option(parser=out_folder, metavar="FOLDER", help="Folder for the pages.")
    ] = PLACE,
    lectures: Annotated[
        str, typer.Option("--only", metavar="NUMBERS", help="Some lectures, such as 02,05.")
    ] = "",
) -> None:
    """Write the lectures as pages that open by a double click and need no kernel and no network.

    Each lecture runs once, and again only when it or the package has changed. Pages that this
    command wrote before are replaced; whatever else lies in the folder stays.
    """
    from course_utils.lab import FIRST, find_course
    from course_utils.site.build import build_site

    with in_one_line():
        folder = find_course() / FIRST.parent
    only = [number.strip().zfill(2) for number in lectures.split(",") if number.strip()]
    built = build_site(folder, out, only=only)
    print(f"{built.files} files, {built.size / 1e6:.1f} MB: open {built.page}")


def book(
    out: Annotated[
        Path, typer.Option(parser=out_folder, metavar="FOLDER", help="Folder for the book.")
    ] = Path("build", "book"),
    lectures: Annotated[
        str, typer.Option("--only", metavar="NUMBERS", help="Some lectures, such as 02,05.")
    ] = "",
) -> None:
    """Print all lectures into one PDF with contents; Chromium or Chrome must be installed.

    Folds are open in it. A second call replaces only that file.
    """
    from course_utils.lab import FIRST, find_course
    from course_utils.site.book import write_book
    from course_utils.site.pdf import NoBrowser

    with in_one_line():
        folder = find_course() / FIRST.parent
    only = [number.strip().zfill(2) for number in lectures.split(",") if number.strip()]
    try:
        print(write_book(folder, out, only))
    except NoBrowser as error:
        typer.echo(error, err=True)
        raise typer.Exit(1) from None


def slides(
    lecture: NUMBER,
    pdf: Annotated[
        bool, typer.Option("--pdf", help="A PDF too, by Chromium, Chrome or Edge.")
    ] = False,
    notes: Annotated[
        bool, typer.Option("--notes", help="Two slides a page, with the presenter's notes.")
    ] = False,
    short: Annotated[bool, typer.Option("--short", help="Leave out the exercises.")] = False,
    out: Annotated[
        Path, typer.Option(parser=out_folder, metavar="FOLDER", help="Folder for the slides.")
    ] = Path("build", "slides"),
) -> None:
    """Write a lecture's slides to print: run it, and lay out each as on the wall."""
    from course_utils.lab import find_course, find_lecture
    from course_utils.site.pdf import NoBrowser
    from course_utils.site.slides_page import write_slides

    with in_one_line():
        course = find_course()
        path = course / find_lecture(course, lecture)
    print(f"{path.stem}: running")
    try:
        print(write_slides(path, out, pdf, short, notes))
    except NoBrowser as error:
        typer.echo(error, err=True)
        raise typer.Exit(1) from None
