"""One run, one writer: a second process is told who is writing, and touches nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import torch

from course_utils import files
from course_utils.training.parallel.distributed import current_world, told_by_chief
from course_utils.training.resume.checkpoints import Refused


@contextmanager
def one_run(lock: Path, device: torch.device) -> Iterator[None]:
    """Hold a lock file while this run writes; the system releases it when the process dies.

    Of many processes the chief holds it, and all of them end when it cannot.
    """
    if device.type == "meta":
        raise ValueError("'meta' computes no numbers: use 'cpu', 'cuda' or 'mps'")
    with ExitStack() as held:
        problem = ""
        if current_world().is_chief:
            try:
                held.enter_context(files.only_writer(lock))
            except files.HeldByAnother as who:
                problem = (
                    f"{lock.parent} is being written by {who}: wait until it ends, or choose "
                    "another folder"
                )
            except OSError as error:
                problem = (
                    f"cannot write {lock}: {error.strerror}: make room, or choose another folder"
                )
        if problem := told_by_chief(problem, device):
            raise Refused(problem)
        yield
