"""One file of vectors, written by one process at a time: whole, or absent."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import torch
from torch import Tensor

from course_utils import files
from course_utils.embedding.vector_file import Plan, lay_out, read_fingerprint

Put = Callable[[Sequence[int], Tensor], None]


class CorpusInUse(RuntimeError):
    """Somebody is writing this file right now."""


def is_whole(out: Path, fingerprint: str) -> bool:
    """Tell whether `out` is the file made from this; refuse anything else in its place."""
    if not os.path.lexists(out):
        return False
    if read_fingerprint(out, out.suffix) == fingerprint:
        return True
    raise FileExistsError(
        f"{out} exists, and is not the complete file for these sentences, this model and these "
        "settings: choose another name, or move it away and call again"
    )


@contextmanager
def one_job(out: Path) -> Iterator[None]:
    """Hold `out`.lock and sweep what killed runs left; if it is taken, raise and say by whom."""
    with ExitStack() as held:
        try:
            held.enter_context(files.only_writer(_lock(out)))
        except files.HeldByAnother as who:
            raise CorpusInUse(
                f"{out} is being written by {who}: wait until it ends and call again, or "
                "choose another name"
            ) from None
        files.sweep_partials(out.parent, f"{out.name}.*")
        yield


def sweep(out: Path) -> None:
    """Delete the remains of a run killed after `out` was whole, unless one is just ending."""
    if _lock(out).exists():
        with suppress(CorpusInUse), one_job(out):  # which takes the lock away when it ends
            pass


@contextmanager
def filled(out: Path, plan: Plan) -> Iterator[Put]:
    """Yield a function that puts a batch of arrays in their places; `out` appears once all is well.

    The batch has the shape (B, ..., T, 2P); each row keeps as many tokens as were planned.
    """
    with _advice_when_full(out), files.replacing(out) as partial:
        places = lay_out(partial, plan)
        with partial.open("r+b") as file:

            def put(rows: Sequence[int], vectors: Tensor) -> None:
                for n, sentence in zip(rows, _stored(vectors, plan.dtype), strict=True):
                    if plan.size(n):
                        file.seek(places[n])
                        file.write(tensor_bytes(sentence[..., : plan.shapes[n][-2], :]))

            yield put
        is_whole(out, plan.fingerprint)  # raises where something else took the name meanwhile


def tensor_bytes(tensor: Tensor) -> bytes:
    """Return the numbers as they stand in memory."""
    return tensor.contiguous().view(torch.uint8).numpy().tobytes()


def _stored(vectors: Tensor, dtype: torch.dtype) -> Tensor:
    """Return the vectors as a file has them; refuse a number that its type does not reach."""
    stored = vectors.to("cpu", dtype)
    if stored.isinf().any() and (stored.isinf() & vectors.cpu().isfinite()).any():
        largest = vectors[vectors.isfinite()].abs().max()
        raise ValueError(
            f"a number of {largest:g} is too large for {dtype}, whose largest is "
            f"{torch.finfo(dtype).max:g}: choose dtype=torch.float32"
        )
    return stored


@contextmanager
def _advice_when_full(out: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in files.FULL:
            raise
        raise OSError(
            error.errno,
            f"{os.strerror(error.errno)}, so {out} was not finished and nothing of it is kept. "
            "Make room and call again: finished shards stay",
        ) from error


def _lock(out: Path) -> Path:
    return out.with_name(f"{out.name}.lock")
