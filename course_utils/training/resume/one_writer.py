"""One run, one writer: whoever comes second is told who is there, and touches nothing."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import torch
from filelock import FileLock, Timeout

from course_utils.training.distributed import current_world, told_by_chief
from course_utils.training.resume.checkpoints import CheckpointError, Refused


@contextmanager
def only_writer(lock: Path, device: torch.device) -> Iterator[None]:
    """Hold a lock file while this run writes; the system lets go of it when the process dies.

    Of many processes the chief holds it, and all of them end when it cannot.
    """
    with ExitStack() as held:
        problem = ""
        if current_world().is_chief:
            try:
                held.enter_context(_held(lock))
            except CheckpointError as error:
                problem = str(error)
        if problem := told_by_chief(problem, device):
            raise Refused(problem)
        yield


@contextmanager
def _held(path: Path) -> Iterator[None]:
    lock = FileLock(path, timeout=0)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise Refused(
            f"{path.parent} is being written by {_holder(path)}: wait for its end, or choose "
            "another folder"
        ) from None
    except OSError as error:
        raise CheckpointError(
            f"cannot write {path}: {error.strerror}: make room, or choose another folder"
        ) from error
    try:
        with suppress(OSError):  # a disk too full for one line: the lock holds without it
            path.write_text(_myself(), encoding="utf-8")
        yield
    finally:
        with suppress(
            OSError
        ):  # Windows keeps what is open; a lock file without a lock bars nobody
            path.unlink()  # before letting go: whoever opened it meanwhile sees that it is gone
        lock.release()


def _myself() -> str:
    return f"process {os.getpid()} on {platform.node()} since {time.strftime('%Y-%m-%d %H:%M:%S')}"


def _holder(path: Path) -> str:
    """Return what the holder wrote of itself, if that can be read."""
    with suppress(OSError, UnicodeDecodeError):
        return path.read_text(encoding="utf-8").strip() or "another process"
    return "another process"
