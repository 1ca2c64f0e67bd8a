"""Try every lock and tell what held: a sandbox that silently does nothing is worse than none."""

from __future__ import annotations

import ctypes
import json
import os
import socket
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from course_utils.classroom.locks.limits import REFERENCES, Allowance, lock_up, readable

PTRACE_SEIZE = 0x4206  # stops nobody, unlike PTRACE_ATTACH


def held(hidden: Sequence[Path] = ()) -> dict[str, bool]:
    """Return which locks hold here, each tried in a locked process of its own kind.

    Nothing of what is `hidden` may be read either.
    """
    if not hasattr(os, "fork"):
        return dict.fromkeys(ATTEMPTS, False)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "theirs").write_text("somebody else's")
        return _told_by_a_child(Path(folder), hidden)


def missing(held: dict[str, bool]) -> list[str]:
    """Return what does not hold."""
    return [name for name, holds in held.items() if not holds]


def _told_by_a_child(folder: Path, hidden: Sequence[Path]) -> dict[str, bool]:
    theirs = [file for path in hidden if (file := _some_file(path))]
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            lock_up(Allowance(seconds=2), readable(hidden))
            found = {name: _is_refused(attempt, folder) for name, attempt in ATTEMPTS.items()}
            found[OTHERS] = found[OTHERS] and all(_is_refused(_open, file) for file in theirs)
            os.write(writing, json.dumps(found).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return {**dict.fromkeys(ATTEMPTS, False), **json.loads(told or b"{}")}


def _is_refused(attempt: Callable[[Path], object], folder: Path) -> bool:
    try:
        return bool(attempt(folder))  # what would be None or 0 went through
    except (OSError, MemoryError):
        return True


def _fork(folder: Path) -> bool:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return False


def _socket(folder: Path) -> None:
    socket.socket().close()


def _write(folder: Path) -> None:
    with open(folder / "new", "w") as file:
        file.write("x")


def _has_limit(name: str) -> bool:
    import resource  # not on Windows

    limit, _ = resource.getrlimit(getattr(resource, name))
    return limit != resource.RLIM_INFINITY


def _memory_of_another(folder: Path) -> bool:
    libc = ctypes.CDLL(None, use_errno=True)
    return (
        bool(libc.ptrace(PTRACE_SEIZE, os.getppid(), None, None))
        if sys.platform == "linux"
        else False
    )


def _some_file(path: Path) -> Path | None:
    """Return a file to try: names can be listed, contents are what is hidden."""
    files = path.rglob("*") if path.is_dir() else [path]
    return next((file for file in files if file.is_file()), None)


def _open(file: Path) -> None:
    os.close(os.open(file, os.O_RDONLY))


OTHERS = "reading other people's files"
ATTEMPTS: dict[str, Callable[[Path], object]] = {
    "time": lambda folder: _has_limit("RLIMIT_CPU"),
    "memory": lambda folder: _has_limit("RLIMIT_AS"),
    "processes": _fork,
    "network": _socket,
    "signals to other processes": lambda folder: os.kill(os.getppid(), 0),
    "memory of other processes": _memory_of_another,
    "writing files": _write,
    OTHERS: lambda folder: not (folder / "theirs").read_text(),
    "reading the references": lambda folder: not (REFERENCES / "__init__.py").read_text(),
}
