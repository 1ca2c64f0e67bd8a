"""Where downloads live, who may write there, how much room there is, whether to use a network."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from platformdirs import user_cache_path

from course_utils.files import FULL, only_writer


class NoPlaceError(OSError):
    """There is nowhere to keep data."""


def cache_folder() -> Path:
    """Return COURSE_DATA, or this system's usual place for caches."""
    chosen = os.environ.get("COURSE_DATA")
    try:
        return Path(chosen).expanduser() if chosen else user_cache_path("recurrent-course")
    except RuntimeError as error:  # no such user, or one without a home
        wrong = (
            f"COURSE_DATA={chosen} names no folder" if chosen else "there is no home folder here"
        )
        raise NoPlaceError(
            f"{wrong}: set COURSE_DATA to a folder where data can be kept"
        ) from error


def own_folder() -> Path:
    """Return the course's working folder: next to the sets, under a name that nobody else uses."""
    return cache_folder() / ".recurrent-course"


def is_offline() -> bool:
    """Return whether COURSE_OFFLINE forbids the network."""
    return os.environ.get("COURSE_OFFLINE", "") not in ("", "0")


def one_at_a_time(name: str) -> AbstractContextManager[None]:
    """Let one process at a time work under this name; the others wait."""
    return only_writer(own_folder() / "locks" / f"{name}.lock", patient=True)


@contextmanager
def saying_when_full() -> Iterator[None]:
    """Turn the system's error for a full disk into advice on what to do."""
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise OSError(
            error.errno,
            f"{error.strerror}: make room, or set COURSE_DATA to a folder on another disk",
            str(error.filename or cache_folder()),
        ) from error
