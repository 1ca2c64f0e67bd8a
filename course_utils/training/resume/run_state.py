"""Everything that a stopped run needs to go on as if it had never stopped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import torch

from course_utils.files import HeldByAnother, only_writer, sweep_partials
from course_utils.training.batches import BatchSource, to_device
from course_utils.training.history import History
from course_utils.training.losses import LossOf
from course_utils.training.parallel.distributed import current_world, gather_rows, share_rows
from course_utils.training.resume.checkpoints import (
    CheckpointError,
    check_fits,
    load_checkpoint,
    save_checkpoint,
    try_writing,
)
from course_utils.training.resume.one_writer import one_run
from course_utils.training.resume.randomness import random_state, restore_random_state

FILE = "run.safetensors"
LOCK = ".lock"


class RunState:
    """The parts of a run, saved and restored together."""

    def __init__(
        self,
        model: torch.nn.Module,
        optimizer: torch.optim.Optimizer,
        source: BatchSource,
        loss: LossOf,
        about: dict[str, object] | None = None,
    ):
        self.model, self.optimizer, self.source, self.loss = model, optimizer, source, loss
        self.about = about or {}
        self.history = History()
        self.best_weights: dict[str, torch.Tensor] | None = None

    def keep_best(self) -> None:
        """Remember the weights as they are now."""
        self.best_weights = {
            name: value.detach().clone() for name, value in self.model.state_dict().items()
        }

    def save(self, folder: Path) -> None:
        """Write the checkpoint; every process must call this, one of them writes."""
        device = next(self.model.parameters()).device
        ranks = gather_rows(torch.get_rng_state().to(device)[None], dim=0)  # (processes, bytes)
        state = {
            "about": self.about,
            "optimizer_kind": type(self.optimizer).__name__,
            "model": dict(self.model.state_dict()),
            "best": self.best_weights,
            "optimizer": self.optimizer.state_dict(),
            "loss": self.loss.state_dict() if hasattr(self.loss, "state_dict") else None,
            "source": self.source.state_dict(),
            "history": self.history.state_dict(),
            "random": random_state(),
            "ranks": ranks,
        }
        if current_world().is_chief:
            save_checkpoint(folder / FILE, state)

    def resume(self, folder: Path) -> None:
        """Read the checkpoint into every part, after checking that it belongs to them."""
        path = folder / FILE
        state = load_checkpoint(path)
        _check_same(state["about"], self.about, path)
        check_fits(self.model, state["model"], path)
        kind = type(self.optimizer).__name__
        if state["optimizer_kind"] != kind:
            raise CheckpointError(
                f"{path} was made with {state['optimizer_kind']}, not {kind}: "
                "resume with the optimiser that the run began with"
            )
        self.model.load_state_dict(state["model"])
        self.best_weights = state["best"]
        self.optimizer.load_state_dict(state["optimizer"])
        self.history.load_state_dict(state["history"])
        if hasattr(self.loss, "load_state_dict"):
            device = next(self.model.parameters()).device
            self.loss.load_state_dict(to_device(state["loss"], device))
        self.source.load_state_dict(state["source"])
        restore_random_state(state["random"])
        self._restore_own_randomness(state["ranks"])

    def _restore_own_randomness(self, ranks: torch.Tensor) -> None:
        """Give each process its own generator back; in a world of another size, a new one."""
        world = current_world()
        if world.size > 1:  # of GPUs only the chief's state was saved
            torch.manual_seed(torch.initial_seed() + world.rank + len(self.history))
        if len(ranks) == world.size:
            own = share_rows(ranks, dim=0)[0].cpu()
            torch.set_rng_state(own.clone())  # given a view, PyTorch 2.13 crashes


def differences(saved: dict[str, object], own: dict[str, object]) -> list[str]:
    """Return a line for everything that a run was begun with and would not go on with."""
    return [
        f"  {name}: {saved.get(name)!r} when it began, now {own.get(name)!r}"
        for name in dict.fromkeys([*saved, *own])
        if saved.get(name) != own.get(name)
    ]


def _check_same(saved: dict[str, object], own: dict[str, object], path: Path) -> None:
    if lines := differences(saved, own):
        raise CheckpointError(
            f"{path} belongs to another run; go on with what it began with, or delete it:\n"
            + "\n".join(lines)
        )


@contextmanager
def open_run(run: RunState, folder: str | Path | None, resume: bool) -> Iterator[Path | None]:
    """Hold the run's folder, alone, and go on from what it holds if that was asked for."""
    if folder is None:
        if resume:
            raise ValueError("resume=True needs the folder that the run was saved in")
        yield None
        return
    folder = Path(folder)
    with one_run(folder / LOCK, next(run.model.parameters()).device):
        if (folder / FILE).exists():
            if not resume:
                raise CheckpointError(
                    f"{folder} holds a run already: continue it with resume=True, choose another "
                    f"folder, or delete {folder / FILE}"
                )
            run.resume(folder)
        if current_world().is_chief:
            try_writing(folder / FILE)  # now, not after the hours before the first checkpoint
            sweep_partials(folder)
        yield folder


def sweep_run(folder: Path) -> None:
    """Delete what killed runs left, and the folder of a run that has no checkpoint in it."""
    if not folder.is_dir():
        return
    with suppress(HeldByAnother), only_writer(folder / LOCK):
        sweep_partials(folder)
    with suppress(OSError):  # not empty, or no folder of ours: a link to one
        folder.rmdir()
