"""Open the course, teach a class, look at this machine, retrain models, fetch data sets."""

from __future__ import annotations

from typing import Annotated

import typer

from course_utils.cli import classroom, data, embed, present, room, site, train
from course_utils.cli.one_line import OneLine

app = typer.Typer(
    cls=OneLine,
    rich_markup_mode=None,  # one line is one line, in any window and in a file
    help=__doc__,
    epilog="course COMMAND --help says more about each.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


app.command(context_settings={"ignore_unknown_options": True})(present.lab)
app.command(context_settings={"ignore_unknown_options": True})(present.present)
app.command()(present.start)
app.command()(present.notes)
app.command()(site.slides)
app.command()(site.site)
app.command()(site.book)
app.command()(room.room)
app.command()(room.cards)


@app.command()
def doctor() -> None:
    """Check this machine and say what to do.

    It looks at versions, device, threads, memory, disk and speed.
    """
    from course_utils.doctor import examine

    raise typer.Exit(examine())


@app.command()
def progress(
    where: Annotated[bool, typer.Option("--where", help="Name the file it is kept in.")] = False,
) -> None:
    """Show which exercises of which lecture are solved."""
    from course_utils.checks.progress import read_progress
    from course_utils.checks.progress_file import progress_file

    found = read_progress()
    if not where:
        print(found)
    else:
        print(found.problem or progress_file() or "COURSE_PROGRESS=off: nothing is kept")
    raise typer.Exit(1 if found.problem else 0)


app.command(epilog=train.EPILOG)(train.train)
app.command(epilog=embed.EPILOG)(embed.embed)
app.command()(classroom.handout)
app.command()(classroom.handin)
app.command()(classroom.grade)
app.command()(classroom.update)
app.command()(classroom.add_exercise)
app.add_typer(data.app, name="data")
app.add_typer(classroom.term, name="term")
