"""A corpus being embedded: the unfinished file, and how much of it is safely on the disk."""

from __future__ import annotations

import json
import os
from pathlib import Path

import torch
from torch import Tensor

from course_utils.embedding.vector_file import Plan, lay_out, places, read_fingerprint


class Job:
    """`out`.partial, which is filled, and `out`.progress, which counts the batches that are in."""

    def __init__(self, out: Path, plan: Plan):
        self.out, self.plan = out, plan
        self.partial = out.with_name(f"{out.name}.partial")
        self.journal = out.with_name(f"{out.name}.progress")
        self.restart = f"delete {self.partial} and {self.journal.name} to start again"
        self.done = self.size = 0

    def is_finished(self) -> bool:
        """Tell whether `out` is what this job makes; refuse anything else in its place."""
        if not os.path.lexists(self.out):
            return False
        if read_fingerprint(self.out, self.plan.kind) == self.plan.fingerprint:
            return True
        raise FileExistsError(
            f"{self.out} exists, and is not the whole file of these sentences, this model and "
            "these settings: choose another name, or move it away and call again"
        )

    def __enter__(self) -> Job:
        self.out.parent.mkdir(parents=True, exist_ok=True)
        if self.partial.exists() and self.journal.exists():
            self.done, self.size = self._noted()
            self.places = places(self.partial, self.plan)
        else:
            self.journal.unlink(missing_ok=True)  # of a file that was finished: not of this one
            self.places = lay_out(self.partial, self.plan)
            self.size = self.partial.stat().st_size
            self._note(0)
        self.file = self.partial.open("r+b")
        return self

    def __exit__(self, *error: object) -> None:
        self.file.close()

    def write(self, number: int, rows: list[int], layers: Tensor) -> None:
        """Put a batch (L + 1, B, T, 2P) in its places, on the disk, and only then count it."""
        for n, sentence in zip(rows, self._stored(layers).unbind(1), strict=True):
            length = self.plan.shapes[n][1]
            if length:
                self.file.seek(self.places[n])
                self.file.write(tensor_bytes(sentence[:, :length]))
        self.file.flush()
        os.fsync(self.file.fileno())
        self._note(number + 1)

    def finish(self) -> None:
        """Give the file its name, unless something else took it meanwhile."""
        self.file.close()
        self.is_finished()
        os.replace(self.partial, self.out)
        self.journal.unlink()

    def _stored(self, layers: Tensor) -> Tensor:
        stored = layers.to("cpu", self.plan.dtype)
        if stored.isinf().any() and (stored.isinf() & layers.cpu().isfinite()).any():
            largest = layers[layers.isfinite()].abs().max()
            raise ValueError(
                f"a number of {largest:g} is too large for {self.plan.dtype}, which ends at "
                f"{torch.finfo(self.plan.dtype).max:g}: choose dtype=torch.float32, "
                f"and {self.restart}"
            )
        return stored

    def _noted(self) -> tuple[int, int]:
        """Return the batches that are done and the size of the file, if both can be believed."""
        try:
            saved = json.loads(self.journal.read_bytes())
            done, size, of = int(saved["batches"]), int(saved["size"]), saved["fingerprint"]
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            raise ValueError(
                f"{self.journal} cannot be read, so nobody knows what {self.partial.name} "
                f"holds: {self.restart}"
            ) from error
        if of != self.plan.fingerprint:
            raise ValueError(
                f"{self.partial} was begun with other sentences, another model or other "
                f"settings: {self.restart}"
            )
        found = self.partial.stat().st_size
        if found != size:
            raise ValueError(
                f"{self.partial} was damaged: it had {size:,} bytes and has {found:,}: "
                f"{self.restart}"
            )
        return done, size

    def _note(self, count: int) -> None:
        fresh = self.journal.with_name(f"{self.journal.name}.new")
        note = {"batches": count, "size": self.size, "fingerprint": self.plan.fingerprint}
        with fresh.open("w") as file:
            file.write(json.dumps(note))
            file.flush()
            os.fsync(file.fileno())  # or a power cut could leave the new name without its text
        os.replace(fresh, self.journal)


def tensor_bytes(tensor: Tensor) -> bytes:
    """Return the numbers as they stand in memory."""
    return tensor.contiguous().view(torch.uint8).numpy().tobytes()
