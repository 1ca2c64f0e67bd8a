"""Files that are whole or absent, and that one process at a time writes."""

from __future__ import annotations

import errno
import os
import platform
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

# no space, no space left to this user, file too large for this disk or user
FULL: set[int] = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG}


class HeldByAnother(RuntimeError):
    """Another process is writing there; the message is what it says of itself."""


def plain_name(name: str) -> str:
    """Return a name as files have it: a command may write - for _."""
    return name.replace("-", "_")


def write_whole(path: str | Path, content: bytes) -> None:
    """Write a file that is either complete or absent, even when the power fails half-way."""
    with replacing(path) as partial, partial.open("xb") as file:
        file.write(content)


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Offer another name to write to; it becomes `path` once every byte is on the disk."""
    path = Path(path)
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield partial
        with partial.open("r+b") as file:
            os.fsync(file.fileno())
        os.replace(partial, path)
        _sync_folder(path.parent)
    except BaseException:
        with suppress(OSError):  # not begun, or where nothing can be written or deleted
            partial.unlink()
        raise


def sweep_partials(folder: str | Path, name: str = "*") -> int:
    """Delete the half-written files of killed runs, of one name; return how many there were.

    Only who holds the folder's lock may: to others, what is being written looks the same.
    """
    partials = list(Path(folder).glob(f".{name}.partial"))
    for partial in partials:
        partial.unlink()
    return len(partials)


def refuse_folders(*places: Path) -> None:
    """Refuse folders where files are to be written, before the system does in fewer words."""
    for place in places:
        if place.is_dir():
            raise FileExistsError(
                f"{place} is a folder, and a file has to be there: move it away and call again"
            )


@contextmanager
def only_writer(lock: Path, patient: bool = False) -> Iterator[None]:
    """Hold a lock file; where somebody has it already wait, or raise HeldByAnother at once.

    The system lets go of it when the process dies, whatever the file says.
    """
    refuse_folders(lock)
    held = FileLock(lock, timeout=-1 if patient else 0)  # makes the folder too
    try:
        held.acquire()
    except Timeout:
        raise HeldByAnother(_holder(lock)) from None
    try:
        with suppress(OSError):  # a disk too full for one line: the lock holds without it
            lock.write_text(_myself(), encoding="utf-8")
        yield
    finally:
        with suppress(OSError):  # Windows keeps what is open; without a lock the file bars nobody
            lock.unlink()  # before letting go: whoever opened it meanwhile sees that it is gone
        held.release()


def _myself() -> str:
    return f"process {os.getpid()} on {platform.node()} since {time.strftime('%Y-%m-%d %H:%M:%S')}"


def _holder(lock: Path) -> str:
    """Return what the holder wrote of itself, if that can be read."""
    with suppress(OSError, UnicodeDecodeError):
        return lock.read_text(encoding="utf-8").strip() or "another process"
    return "another process"


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable, where the system lets a folder be opened."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
