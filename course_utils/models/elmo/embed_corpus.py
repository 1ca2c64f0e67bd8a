"""Embed many sentences to a file, with progress, going on after an interruption."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from course_utils.models.elmo.token_lists import token_lists
from course_utils.models.elmo.vector_file import Shape, lay_out, places

if TYPE_CHECKING:
    from course_utils.models.elmo.bilm import BiLM

KINDS = (".safetensors", ".hdf5")
DTYPES = (torch.float32, torch.float16)


def embed_corpus(
    bilm: BiLM,
    sentences: Sequence[Sequence[str]],
    out: str | os.PathLike,
    *,
    batch_tokens: int = 4096,
    dtype: torch.dtype = torch.float32,
    progress: bool = True,
) -> Path:
    """Write each sentence's layers as array "0", "1", ... of shape (L + 1, n, 2P); return the path.

    The name's ending chooses safetensors or HDF5 (as the original code's dumps). Every sentence
    starts from zero states. Until all is done the file is called `out`.partial; after an
    interruption the same call goes on with the first batch that was not safely on the disk.
    """
    out = Path(out)
    if out.suffix not in KINDS:
        raise ValueError(f"{out.name}: the name must end in {' or '.join(KINDS)}")
    if dtype not in DTYPES:
        raise ValueError(f"{dtype} cannot be stored: choose torch.float32 or torch.float16")
    if batch_tokens < 1:
        raise ValueError(f"batch_tokens must be at least 1, not {batch_tokens}")
    sentences = token_lists(sentences)
    levels, width = bilm.options.layers + 1, 2 * bilm.options.projection
    shapes = [(levels, len(sentence), width) for sentence in sentences]
    order = batches([len(sentence) for sentence in sentences], batch_tokens)
    job = _Job(out, shapes, dtype, _fingerprint(bilm, sentences, batch_tokens, dtype))
    with job, _bar(sum(map(len, sentences)), progress) as bar:
        for number, rows in enumerate(order):
            chosen = [sentences[n] for n in rows]
            if number >= job.done:
                with torch.no_grad():
                    layers = bilm(chosen).layers.to("cpu", dtype)  # (L + 1, B, T, 2P)
                job.write(number, rows, layers)
            bar.update(sum(map(len, chosen)))
        job.finish()
    return out


def batches(lengths: Sequence[int], batch_tokens: int) -> list[list[int]]:
    """Return rows of like length together, at most `batch_tokens` with padding and boundaries."""
    found, batch = [], []
    for n in sorted(range(len(lengths)), key=lambda n: -lengths[n]):
        longest = lengths[batch[0] if batch else n] + 2
        if batch and (len(batch) + 1) * longest > batch_tokens:
            found.append(batch)
            batch = []
        batch.append(n)
    return [*found, batch] if batch else found


class _Job:
    """The unfinished file, and beside it how many batches are safely in it."""

    def __init__(self, out: Path, shapes: list[Shape], dtype: torch.dtype, fingerprint: str):
        self.out, self.shapes, self.dtype, self.fingerprint = out, shapes, dtype, fingerprint
        self.partial = out.with_name(f"{out.name}.partial")
        self.journal = out.with_name(f"{out.name}.progress")
        self.done = 0

    def __enter__(self) -> _Job:
        self.out.parent.mkdir(parents=True, exist_ok=True)
        layout = (self.partial, self.shapes, self.dtype, self.out.suffix)
        if self.partial.exists() and self.journal.exists():
            saved = json.loads(self.journal.read_text())
            if saved["fingerprint"] != self.fingerprint:
                raise ValueError(
                    f"{self.partial} was begun with other sentences, another model or other "
                    f"settings: delete it and {self.journal.name} to start again"
                )
            self.done, self.places = saved["batches"], places(*layout)
        else:
            self.journal.unlink(missing_ok=True)  # of a file that was finished: not of this one
            self.places = lay_out(*layout)
            self._note(0)
        self.file = self.partial.open("r+b")
        return self

    def __exit__(self, *error: object) -> None:
        self.file.close()

    def write(self, number: int, rows: list[int], layers: Tensor) -> None:
        """Put a batch in its places, on the disk, and only then count it."""
        for n, sentence in zip(rows, layers.unbind(1), strict=True):
            length = self.shapes[n][1]
            if length:
                self.file.seek(self.places[n])
                self.file.write(_bytes(sentence[:, :length]))
        self.file.flush()
        os.fsync(self.file.fileno())
        self._note(number + 1)

    def finish(self) -> None:
        """Give the file its name."""
        self.file.close()
        os.replace(self.partial, self.out)
        self.journal.unlink()

    def _note(self, count: int) -> None:
        fresh = self.journal.with_name(f"{self.journal.name}.new")
        fresh.write_text(json.dumps({"batches": count, "fingerprint": self.fingerprint}))
        os.replace(fresh, self.journal)


def _bytes(tensor: Tensor) -> bytes:
    return tensor.contiguous().view(torch.uint8).numpy().tobytes()


def _fingerprint(
    bilm: BiLM, sentences: Sequence[Sequence[str]], batch_tokens: int, dtype: torch.dtype
) -> str:
    digest = hashlib.sha256()
    for part in _identity(bilm, sentences, batch_tokens, dtype):
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()


def _identity(bilm: BiLM, sentences, batch_tokens: int, dtype: torch.dtype) -> Iterator[bytes]:
    yield json.dumps([bilm.options.to_json(), batch_tokens, str(dtype)]).encode()
    for name, weight in bilm.state_dict().items():
        yield name.encode()
        yield _bytes(weight.detach().cpu())
    for sentence in sentences:
        yield json.dumps(sentence).encode()


def _bar(total: int, shown: bool):
    from tqdm.auto import tqdm

    return tqdm(total=total, unit=" tokens", unit_scale=True, desc="embedding", disable=not shown)
