"""Say in one line what a reader can mend: no traceback for a full disk or another's folder."""

from __future__ import annotations

import errno
import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from course_utils.files import FULL, HeldByAnother
from course_utils.lab import NoLectures

ANSWERED = (OSError, ValueError, NoLectures, HeldByAnother)
NO_HOME = "home directory"  # what Python and its libraries say of it in a RuntimeError


class OneLine(TyperGroup):
    """A command with sub-commands that answers what stops it with one line and exit code 1."""

    def invoke(self, ctx: Any) -> Any:
        """Run the sub-command, and flush what it printed before it counts as done."""
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # an old terminal cannot show every letter
                stream.reconfigure(errors="backslashreplace")
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except (*ANSWERED, RuntimeError) as error:
            if not _is_for_the_reader(error):
                raise
            _say(f"{ctx.info_name} {ctx.invoked_subcommand}: {what_to_do(error)}")
            raise typer.Exit(1) from None
        return result


def what_to_do(error: Exception) -> str:
    """Return what an error says, and what mends it where only the system has spoken."""
    if isinstance(error, RuntimeError) and NO_HOME in str(error):
        return "no home folder is known here: set HOME to a folder that you may write to"
    if isinstance(error, HeldByAnother):
        return f"{error} is writing there: wait until it ends, or choose another folder"
    if not isinstance(error, OSError) or error.strerror is None:
        return str(error)
    place = f"{error.filename}: " if error.filename else ""
    if error.errno in FULL:
        return f"{place}{error.strerror}: make room, or choose a folder on another disk"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{place}{error.strerror}: choose a place that you may write to and read"
    return f"{place}{error.strerror}"


def _is_for_the_reader(error: Exception) -> bool:
    """Return whether the error is about what was given; a reader that left is typer's affair."""
    if isinstance(error, OSError) and error.errno == errno.EPIPE:
        return False
    return isinstance(error, ANSWERED) or NO_HOME in str(error)


def _say(line: str) -> None:
    """Write to stderr, and leave nothing for the interpreter to stumble over at its end."""
    typer.echo(line, err=True)
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
