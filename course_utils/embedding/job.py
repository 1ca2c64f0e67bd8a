"""A corpus being embedded: the unfinished file, and which batches are safely in it.

`out`.progress names what is being made and, line by line, each batch that is on the disk with the
sha256 of its numbers. After an interruption nothing is believed further than that reaches: a batch
whose numbers hash otherwise is made again, a file whose structure was changed is refused.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import torch
from torch import Tensor

from course_utils import files
from course_utils.embedding.vector_file import Plan, lay_out, read_fingerprint, same_structure


class CorpusInUse(RuntimeError):
    """Somebody is writing this file just now."""


class Job:
    """One file to be made of batches of rows, by one writer at a time."""

    def __init__(self, out: Path, plan: Plan, batches: Sequence[Sequence[int]]):
        self.out, self.plan, self.batches = out, plan, batches
        self.partial = out.with_name(f"{out.name}.partial")
        self.journal = out.with_name(f"{out.name}.progress")
        self.fresh = out.with_name(f"{out.name}.plan")
        self.restart = f"delete {self.partial} and {self.journal.name} to start again"
        self.done: set[int] = set()

    def is_finished(self) -> bool:
        """Tell whether there is nothing left to do."""
        return is_whole(self.out, self.plan.fingerprint)

    def sweep(self) -> None:
        """Delete what a run left that was killed with `out` finished, unless one is just ending."""
        if self.partial.exists() or not (self.journal.exists() or _lock(self.out).exists()):
            return  # beside a `.partial`, the journal is of another file, which is not finished
        with suppress(CorpusInUse), one_job(self.out):  # which takes the lock away when it ends
            self.journal.unlink(missing_ok=True)

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Hold the unfinished file open, begun or gone on with."""
        files.refuse_folders(self.partial, self.journal, self.fresh)
        with self._advice_when_full():
            if self.partial.exists() and self.journal.exists():
                noted = self._noted()
                self.places = self._checked_places()
            else:
                self.journal.unlink(missing_ok=True)  # of a file that was finished: not of this one
                noted, self.places = {}, lay_out(self.partial, self.plan)
            with self.partial.open("r+b") as self.file:
                self.done = {n for n, digest in noted.items() if digest == self._digest(n)}
                self._begin_journal({n: noted[n] for n in sorted(self.done)})
                yield

    def write(self, number: int, vectors: Tensor) -> None:
        """Put a batch (B, ..., T, 2P) in its places, on the disk, and only then note it."""
        digest = self._hash(number)
        for n, sentence in zip(self.batches[number], self._stored(vectors), strict=True):
            length = self.plan.shapes[n][-2]
            if length:
                numbers = tensor_bytes(sentence[..., :length, :])
                digest.update(numbers)
                self.file.seek(self.places[n])
                self.file.write(numbers)
        self.file.flush()
        os.fsync(self.file.fileno())
        with self.journal.open("a") as file:
            file.write(_line(number, digest.hexdigest()))
            file.flush()
            os.fsync(file.fileno())
        self.done.add(number)

    def finish(self) -> None:
        """Give the file its name, unless something else took it meanwhile."""
        self.file.close()
        self.is_finished()
        os.replace(self.partial, self.out)
        self.journal.unlink()

    def _stored(self, vectors: Tensor) -> Tensor:
        stored = vectors.to("cpu", self.plan.dtype)
        if stored.isinf().any() and (stored.isinf() & vectors.cpu().isfinite()).any():
            largest = vectors[vectors.isfinite()].abs().max()
            raise ValueError(
                f"a number of {largest:g} is too large for {self.plan.dtype}, which ends at "
                f"{torch.finfo(self.plan.dtype).max:g}: choose dtype=torch.float32, "
                f"and {self.restart}"
            )
        return stored

    def _noted(self) -> dict[int, str]:
        """Return the batches that are said to be in the file, each with its hash."""
        first, *lines = self.journal.read_bytes().split(b"\n")
        try:
            begun = json.loads(first)["fingerprint"]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ValueError(
                f"{self.journal} cannot be read, so nobody knows what {self.partial.name} "
                f"holds: {self.restart}"
            ) from error
        if begun != self.plan.fingerprint:
            raise ValueError(
                f"{self.partial} was begun with other sentences, another model or other "
                f"settings: {self.restart}"
            )
        noted = {}
        for line in lines:
            with suppress(ValueError, KeyError, TypeError, RecursionError):  # a line cut by a kill
                note = json.loads(line)
                if note["batch"] in range(len(self.batches)):
                    noted[int(note["batch"])] = note["sha256"]
        return noted

    def _checked_places(self) -> list[int]:
        """Return where each array begins in the file as planned, once the file is laid out so."""
        try:
            places = lay_out(self.fresh, self.plan)
            if not same_structure(self.partial, self.fresh, self.plan, places):
                raise ValueError(
                    f"{self.partial} was damaged: its size or structure is not what it was begun "
                    f"with: {self.restart}"
                )
        finally:
            self.fresh.unlink(missing_ok=True)
        return places

    def _hash(self, number: int) -> hashlib._Hash:
        return hashlib.sha256(f"{self.plan.fingerprint} {number} ".encode())

    def _digest(self, number: int) -> str:
        """Return the hash of the numbers that a batch has in the file."""
        digest = self._hash(number)
        for n in self.batches[number]:
            size = self.plan.size(n)
            if size:
                self.file.seek(self.places[n])
                digest.update(self.file.read(size))
        return digest.hexdigest()

    def _begin_journal(self, believed: dict[int, str]) -> None:
        files.sweep_partials(self.journal.parent, f"{self.journal.name}.*")
        head = json.dumps({"fingerprint": self.plan.fingerprint}) + "\n"
        lines = [_line(number, digest) for number, digest in believed.items()]
        files.write_whole(self.journal, "".join([head, *lines]).encode())

    @contextmanager
    def _advice_when_full(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if error.errno not in files.FULL:
                raise
            raise OSError(
                error.errno,
                f"{os.strerror(error.errno)}: {len(self.done)} of {len(self.batches)} batches are "
                f"safe in {self.partial}. Make room and call again: it goes on from there",
            ) from error


def is_whole(out: Path, fingerprint: str) -> bool:
    """Tell whether `out` is the file made from this; refuse anything else in its place."""
    if not os.path.lexists(out):
        return False
    if read_fingerprint(out, out.suffix) == fingerprint:
        return True
    raise FileExistsError(
        f"{out} exists, and is not the whole file of these sentences, this model and these "
        "settings: choose another name, or move it away and call again"
    )


@contextmanager
def one_job(out: Path) -> Iterator[None]:
    """Hold `out`.lock; where somebody has it already, say who and end at once."""
    with ExitStack() as held:
        try:
            held.enter_context(files.only_writer(_lock(out)))
        except files.HeldByAnother as who:
            raise CorpusInUse(
                f"{out} is just being written by {who}: wait until that ends, then the same call "
                "returns at once or goes on; or choose another name"
            ) from None
        yield


def _lock(out: Path) -> Path:
    return out.with_name(f"{out.name}.lock")


def tensor_bytes(tensor: Tensor) -> bytes:
    """Return the numbers as they stand in memory."""
    return tensor.contiguous().view(torch.uint8).numpy().tobytes()


def _line(number: int, digest: str) -> str:
    return json.dumps({"batch": number, "sha256": digest}) + "\n"
