"""What an instructor and her students call: a term, hand-outs, hand-ins, grades, updates."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from course_utils.cli.out import out_folder

TERM = Annotated[
    Path, typer.Option("--term", metavar="DIR", help="The folder with term.toml.", exists=False)
]
term = typer.Typer(help="Begin a term.", no_args_is_help=True, rich_markup_mode=None)


@term.command("new")
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A folder that is made for it.")],
    lectures: Annotated[
        str, typer.Option(help="Which lectures, such as 01,02,03; all where left out.")
    ] = "",
) -> None:
    """Make a folder with term.toml: what counts, points, dates, the rule for late work.

    A term that is there already is never touched.
    """
    from course_utils.classroom.term import new_term

    file = new_term(Path(name), [part.strip() for part in lectures.split(",") if part.strip()])
    print(f"{file}: say there what counts, then run `course handout` in {file.parent}")


def handout(
    term: TERM = Path(),
    out: Annotated[
        Path | None,
        typer.Option(parser=out_folder, metavar="DIR", help="Left out: handout/ in the term."),
    ] = None,
    for_: Annotated[
        str, typer.Option("--for", metavar="FORM", help="plain; or nbgrader or otter, to grade by.")
    ] = "plain",
) -> None:
    """Write the folder that students get.

    Lectures without your notes, own exercises, the package, a README, and handout.json, which
    later updates start from. A second call replaces what the first wrote, and nothing else.
    """
    from course_utils.classroom.handout import write_handout
    from course_utils.classroom.nbgrader_form import write_nbgrader
    from course_utils.classroom.otter_form import write_otter
    from course_utils.classroom.term import read_term
    from course_utils.lab import find_course

    forms = {
        "plain": ("handout", write_handout, "Pack that folder and give it to your students."),
        "nbgrader": ("nbgrader", write_nbgrader, "Run nbgrader generate_assignment there."),
        "otter": ("otter", write_otter, "Run otter assign on each lecture there."),
    }
    if for_ not in forms:
        raise typer.BadParameter(f"there is no form {for_!r}: {', '.join(forms)}")
    name, write, then = forms[for_]
    folder = out or term / name
    written = write(find_course(), read_term(term), folder)
    print(f"{folder}: {len(written)} files. {then}")


def handin(
    lecture: Annotated[str, typer.Argument(metavar="LECTURE", help="Its number, such as 02.")],
    out: Annotated[
        Path | None,
        typer.Option(parser=out_folder, metavar="DIR", help="Left out: handin/ beside notebooks/."),
    ] = None,
) -> None:
    """Write what you wrote into a lecture as one small file, and say what is in it.

    Save the notebook first. The file holds no name; upload it where your instructor says.
    """
    from course_utils.classroom.handin import write_handin
    from course_utils.lab import find_course

    course = find_course()
    print(write_handin(course, lecture, out or Path(os.path.relpath(course / "handin"))))


def grade(
    lecture: Annotated[str, typer.Argument(metavar="LECTURE", help="Its number, such as 02.")],
    handed_in: Annotated[
        Path, typer.Argument(metavar="FOLDER_OR_ZIP", help="What Canvas, Moodle or you collected.")
    ],
    term: TERM = Path(),
    out: Annotated[
        Path | None,
        typer.Option(
            parser=out_folder, metavar="DIR", help="Left out: grades/LECTURE in the term."
        ),
    ] = None,
    roster: Annotated[
        Path | None, typer.Option(metavar="CSV", help="Everybody's id and name.")
    ] = None,
    manual: Annotated[
        list[Path] | None, typer.Option(metavar="CSV", help="Marks from a page in manual/.")
    ] = None,
    regrade: Annotated[
        list[str] | None, typer.Option(metavar="NUMBER", help="Judge this exercise anew.")
    ] = None,
    require_sandbox: Annotated[
        bool, typer.Option("--require-sandbox", help="Refuse where any lock does not hold.")
    ] = False,
    jobs: Annotated[int, typer.Option(min=1, help="How many answers run side by side.")] = 2,
) -> None:
    """Judge everybody's answers, each in a locked process, and write grades and pages.

    Out come grades.csv, canvas.csv, moodle.csv, class.html, feedback/ and manual/. A run that was
    stopped goes on where it was.
    """
    from course_utils.classroom.session import grade_class

    number = lecture.zfill(2)
    folder = out or term / "grades" / number
    print(
        grade_class(
            term,
            number,
            handed_in,
            folder,
            roster,
            manual or [],
            regrade or [],
            require_sandbox,
            jobs,
        )
    )


def update(
    newer: Annotated[
        Path, typer.Option("--from", metavar="DIR_OR_ZIP", help="The newer hand-out.")
    ],
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="Your folder; left out: this one.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done.")] = False,
) -> None:
    """Bring newer lectures under your work.

    Save and close your notebooks first. Your cells always stay, new text comes beside them, and
    each notebook as it was is kept in backups/.
    """
    from course_utils.classroom.update import update as bring
    from course_utils.lab import find_course

    print(bring(folder or find_course(), newer, dry_run))


def add_exercise(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Your exercise, with its reference.")
    ],
    lecture: Annotated[str, typer.Option(metavar="LECTURE", help="Where it is asked, such as 02.")],
    reserved: Annotated[
        bool, typer.Option("--reserved", help="Keep the reference here: only you can judge it.")
    ] = False,
    term: TERM = Path(),
) -> None:
    """Add an exercise of your own to a term.

    It is tried first: its reference must be right, and each mistake be told by its own sentence.
    """
    from course_utils.classroom.add import add_exercise as add

    print(add(term, file, lecture.zfill(2), reserved))
