"""Where downloads live, who may write there, and whether the network may be used."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock
from platformdirs import user_cache_path


def cache_folder() -> Path:
    """Return COURSE_DATA, or this system's usual place for caches."""
    chosen = os.environ.get("COURSE_DATA")
    return Path(chosen).expanduser() if chosen else user_cache_path("recurrent-course")


def is_offline() -> bool:
    """Return whether COURSE_OFFLINE forbids the network."""
    return os.environ.get("COURSE_OFFLINE", "") not in ("", "0")


@contextmanager
def only_one(name: str) -> Iterator[None]:
    """Let one process at a time work under this name; the lock dies with its process."""
    locks = cache_folder() / ".locks"
    locks.mkdir(parents=True, exist_ok=True)
    with FileLock(locks / f"{name}.lock"):
        yield
