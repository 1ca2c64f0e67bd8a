"""Where downloads live, who may write there, what room there is, and whether to use a network."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from platformdirs import user_cache_path

from course_utils.files import FULL, only_writer


def cache_folder() -> Path:
    """Return COURSE_DATA, or this system's usual place for caches."""
    chosen = os.environ.get("COURSE_DATA")
    return Path(chosen).expanduser() if chosen else user_cache_path("recurrent-course")


def is_offline() -> bool:
    """Return whether COURSE_OFFLINE forbids the network."""
    return os.environ.get("COURSE_OFFLINE", "") not in ("", "0")


def one_at_a_time(name: str) -> AbstractContextManager[None]:
    """Let one process at a time work under this name, the others wait."""
    return only_writer(cache_folder() / ".locks" / f"{name}.lock", patient=True)


@contextmanager
def saying_when_full() -> Iterator[None]:
    """Turn the system's word for a full disk into what to do about it."""
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
