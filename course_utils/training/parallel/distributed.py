"""The same run on many processes: rows split by rank, numbers summed, one process writes.

PyTorch averages the gradients (`parallel.engine`). In a single process, everything here is a no-op.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, NamedTuple

import torch
import torch.distributed as dist

Batches = Callable[[int], object] | Iterable[object]  # by their numbers, or one after the other
LONGEST_TEXT = 2000  # bytes of the chief's message


class LostProcess(RuntimeError):
    """Another process of the run has ended, or no longer answers."""


class World(NamedTuple):
    """This process's number, and how many there are."""

    rank: int = 0
    size: int = 1

    @property
    def is_chief(self) -> bool:
        """Return whether this process writes files and shows progress."""
        return self.rank == 0


def current_world() -> World:
    """Return the world that this process has joined; alone, a world of one."""
    if dist.is_available() and dist.is_initialized():
        return World(dist.get_rank(), dist.get_world_size())
    return World()


def asked_world() -> World:
    """Return this process's number, and how many torchrun started; without it, a world of one."""
    rank, size = os.environ.get("RANK", "0"), os.environ.get("WORLD_SIZE", "1")
    if rank.isdecimal() and size.isdecimal() and int(rank) < int(size):
        return World(int(rank), int(size))
    raise ValueError(
        f"RANK={rank} and WORLD_SIZE={size} do not come from torchrun, which sets both: "
        "unset them, or start the command with torchrun"
    )


@contextmanager
def exchange() -> Iterator[None]:
    """Explain the error when an exchange with other processes fails; pass other errors on."""
    try:
        yield
    except RuntimeError as error:
        if not isinstance(error, dist.DistError) and "gloo" not in str(error):  # it names its file
            raise
        raise LostProcess(
            "another process of this run has ended or no longer answers. The last checkpoint is "
            "whole: start the same command with --resume, on as many processes as there are now"
        ) from error


@contextmanager
def joined_world(device: torch.device, minutes: float = 10) -> Iterator[World]:
    """Join the processes that torchrun started (it sets RANK and WORLD_SIZE), and leave at the end.

    A process that waits longer than `minutes` for another gives up with an error.
    """
    if asked_world().size == 1:
        yield World()
        return
    if device.type == "cuda":
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
    backend = "nccl" if device.type == "cuda" else "gloo"
    dist.init_process_group(backend, timeout=timedelta(minutes=minutes))
    try:
        yield current_world()
    finally:
        dist.destroy_process_group()


def local_device(device: torch.device) -> torch.device:
    """Return this process's own GPU where several processes share a machine."""
    if device.type == "cuda" and device.index is None and "LOCAL_RANK" in os.environ:
        return torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    return device


def share_rows(batch: Any, dim: int, world: World | None = None) -> Any:
    """Return this process's rows of a global batch: contiguous, equally many for each process."""
    world = world or current_world()
    if isinstance(batch, torch.Tensor):
        rows = batch.shape[dim]
        if rows % world.size:
            raise ValueError(
                f"{rows} rows do not divide among {world.size} processes: choose a batch size "
                f"that is a multiple of {world.size}"
            )
        each = rows // world.size
        return batch.narrow(dim, world.rank * each, each)
    if isinstance(batch, list | tuple):
        return rebuilt(batch, [share_rows(part, dim, world) for part in batch])
    return batch


def shared(batches: Batches, dim: int) -> Batches:
    """Return batches that give every process its rows of the same global batch.

    Every process must draw the same global batches: from their numbers or from a generator of
    their own, not from the global one, which dropout moves differently on every process.
    """
    if callable(batches):
        return lambda number: share_rows(batches(number), dim)
    return _Shared(batches, dim)


class _Shared:
    """An iterable's batches, this process's rows of each."""

    def __init__(self, batches: Iterable[object], dim: int):
        self.batches, self.dim = batches, dim

    def __iter__(self) -> Iterator[object]:
        for batch in self.batches:
            yield share_rows(batch, self.dim)


def rebuilt(like: list[Any] | tuple[Any, ...], parts: list[Any]) -> list[Any] | tuple[Any, ...]:
    """Return the parts in a container of the same kind, named tuples included."""
    return type(like)(*parts) if hasattr(like, "_fields") else type(like)(parts)


def gather_rows(tree: Any, dim: int) -> Any:
    """Return the global batch that `share_rows` split; every process must call this."""
    world = current_world()
    if world.size == 1 or tree is None:
        return tree
    if isinstance(tree, torch.Tensor):
        parts = [torch.empty_like(tree) for _ in range(world.size)]
        with exchange():
            dist.all_gather(parts, tree.contiguous())
        return torch.cat(parts, dim)
    return rebuilt(tree, [gather_rows(part, dim) for part in tree])


def summed(numbers: torch.Tensor) -> torch.Tensor:
    """Return the sum of all processes' numbers."""
    if current_world().size > 1:
        with exchange():
            dist.all_reduce(numbers)
    return numbers


def told_by_chief(text: str, device: torch.device) -> str:
    """Return the chief's text on every process, so that all follow its decision."""
    if current_world().size == 1:
        return text
    box = torch.zeros(LONGEST_TEXT, dtype=torch.uint8, device=device)
    letters = text.encode()[:LONGEST_TEXT]
    box[: len(letters)] = torch.tensor([*letters], dtype=torch.uint8)
    with exchange():
        dist.broadcast(box, src=0)
    return bytes(box.tolist()).rstrip(b"\0").decode(errors="replace")


def draw_apart() -> None:
    """Give every process its own random numbers, so that they do not share one dropout mask."""
    world = current_world()
    if world.size > 1:
        torch.manual_seed(torch.initial_seed() + world.rank)


def same_everywhere(number: float, device: torch.device) -> float:
    """Return the chief's number on every process, so that all decide alike."""
    if current_world().size == 1:
        return number
    box = torch.tensor([number], dtype=torch.float64, device=device)
    with exchange():
        dist.broadcast(box, src=0)
    return box.item()
