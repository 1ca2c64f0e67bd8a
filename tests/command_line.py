"""Commands as a user types them, in this process."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from course_utils.cli import app
from tools.__main__ import app as tools

FOR_MAINTAINERS = {command.callback.__name__ for command in tools.registered_commands}


def as_typed(*arguments: str) -> list[str]:
    """Return the line that runs a command of `course`, or of `python -m tools`."""
    module = "tools" if arguments[0] in FOR_MAINTAINERS else "course_utils.cli"
    return [sys.executable, "-m", module, *arguments]


def course(*arguments: str) -> int:
    """Run `course`, or `python -m tools`, with these arguments; return its exit code."""
    try:
        if arguments[0] in FOR_MAINTAINERS:
            tools(arguments, prog_name="python -m tools")
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
