"""`course progress`: which exercises are solved."""

from __future__ import annotations

from typing import Annotated

import typer


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
