"""Commands as a user types them, in this process."""

from __future__ import annotations

from collections.abc import Sequence

from course_utils.cli import app


def course(*arguments: str) -> int:
    """Run `course` with these arguments; return its exit code."""
    try:
        app(arguments, prog_name="course")
    except SystemExit as end:
        return end.code
    raise AssertionError("the command did not end as a command does")


def course_train(arguments: Sequence[str]) -> int:
    """Run `course train`; return its exit code."""
    return course("train", *arguments)


def course_data(arguments: Sequence[str]) -> int:
    """Run `course data`; return its exit code."""
    return course("data", *arguments)
