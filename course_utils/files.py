"""Write files that are whole or absent, one process at a time."""

from __future__ import annotations

import errno
import os
import platform
import re
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

PARTIAL = re.compile(r"\.[0-9a-f]{8}\.partial$")  # as `replacing` names them
# no space, no space left to this user, file too large for this disk or user
FULL: set[int] = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG}


class HeldByAnother(RuntimeError):
    """Another process is writing there; the message is how it describes itself."""


def plain_name(name: str) -> str:
    """Return a name as it appears in file names: commands may write - for _."""
    return name.replace("-", "_")


def write_whole(path: str | Path, content: bytes) -> None:
    """Write a file that is either complete or absent, even when the power fails half-way."""
    with replacing(path) as partial, partial.open("xb") as file:
        file.write(content)


def try_writing(path: str | Path) -> None:
    """Raise OSError unless a file can be written next to `path`."""
    trial = Path(path).with_name(f".{Path(path).name}.{secrets.token_hex(4)}.partial")
    trial.parent.mkdir(parents=True, exist_ok=True)
    try:
        with trial.open("xb") as file:
            file.write(bytes(4096))  # a full disk still takes a name
    finally:
        trial.unlink(missing_ok=True)


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Offer another name to write to; it becomes `path` once every byte is on the disk.

    A symbolic link stays a link: the file it points to is replaced. The file keeps its mode.
    """
    path = Path(path)
    if path.is_symlink():
        path = Path(os.path.realpath(path))
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield partial
        with partial.open("r+b") as file:
            with suppress(FileNotFoundError):  # nothing to replace: the mode is the usual one
                partial.chmod(stat.S_IMODE(path.stat().st_mode))
            os.fsync(file.fileno())
        os.replace(partial, path)
        _sync_folder(path.parent)
    except BaseException:
        with suppress(OSError):  # never created, or in a folder where nothing can be deleted
            partial.unlink()
        raise


def sweep_partials(folder: str | Path, name: str = "*") -> int:
    """Delete the half-written files that killed runs left under a name; return how many.

    Call it only while holding the folder's lock: a file that is being written looks the same.
    """
    partials = [
        path
        for path in Path(folder).glob(f".{name}.partial")
        if PARTIAL.search(path.name) and path.is_file() and not path.is_symlink()
    ]
    for partial in partials:
        partial.unlink()
    return len(partials)


def refuse_folders(*places: Path) -> None:
    """Refuse folders where files are to be written, in clearer words than the system's."""
    for place in places:
        if place.is_dir():
            raise FileExistsError(
                f"{place} is a folder where a file must go: move it away and try again"
            )


@contextmanager
def only_writer(lock: Path, patient: bool | float = False) -> Iterator[None]:
    """Hold a lock file; if somebody else holds it, wait, or raise HeldByAnother at once.

    A number is how many seconds to wait before raising. The system releases the lock when the
    process dies, whatever the file says.
    """
    refuse_folders(lock)
    seconds = -1.0 if patient is True else float(patient)
    held = FileLock(lock, timeout=seconds)  # makes the folder too
    try:
        held.acquire()
    except Timeout:
        raise HeldByAnother(_holder(lock)) from None
    try:
        _refuse_other_content(lock)
    except BaseException:
        held.release()
        raise
    try:
        with suppress(OSError):  # the disk is too full for one line: the lock holds without it
            lock.write_text(_myself(), encoding="utf-8")
        yield
    finally:
        with suppress(OSError):  # Windows keeps open files; unlocked, the file blocks nobody
            lock.unlink()  # before releasing: whoever opened it meanwhile sees that it is gone
        held.release()


def _refuse_other_content(lock: Path) -> None:
    """Refuse a file that no lock of ours left behind."""
    said = lock.read_bytes()
    if said and not said.startswith(b"process "):
        raise FileExistsError(f"{lock} is in the way and not ours: move it away and try again")


def _myself() -> str:
    return f"process {os.getpid()} on {platform.node()} since {time.strftime('%Y-%m-%d %H:%M:%S')}"


def _holder(lock: Path) -> str:
    """Return what the holder wrote about itself, if that can be read."""
    with suppress(OSError, UnicodeDecodeError):
        return lock.read_text(encoding="utf-8").strip() or "another process"
    return "another process"


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable, on systems where a folder can be opened."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
