"""Embed many sentences to a file, or in memory, with progress."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from course_utils.embedding.job import filled, is_whole, one_job, sweep, tensor_bytes
from course_utils.embedding.vector_file import FORMATS, Plan, Shape, check_possible
from course_utils.models.elmo.batch import token_lists
from course_utils.models.elmo.bilm import BiLM
from course_utils.models.elmo.fast.packed import PackedBiLM
from course_utils.models.elmo.options import Options

if TYPE_CHECKING:
    from tqdm import tqdm

DTYPES = (torch.float32, torch.float16)
LAYERS = ("all", "top", "average")
SHARED = 2**18  # numbers of a projection: the course's model has fewer, the published ones more


def embed_corpus(
    bilm: BiLM | PackedBiLM,
    sentences: Sequence[Sequence[str]],
    out: str | os.PathLike[str],
    *,
    batch_tokens: int = 4096,
    dtype: torch.dtype = torch.float32,
    layers: str = "all",
    progress: bool = True,
) -> Path:
    """Write each sentence's layers as array "0", "1", ... of shape (L + 1, n, 2P); return the path.

    `layers` may be "top", the last one, or "average", their mean: then arrays are (n, 2P). The
    name's ending chooses safetensors (open one that exceeds the memory with
    `safe_open(path, "np")`) or HDF5 (as the original code's dumps). Every sentence starts from zero
    states. The file is whole or not there: after an interruption the same call begins anew, and
    after the end it returns at once (`embed_file` goes on where it stopped, a shard at a time).
    If `out` is any other file, it is left alone and FileExistsError is raised; if another process
    is writing it, CorpusInUse. A small model runs on one thread, since its products are too small
    to share; a large one on as many as torch.set_num_threads says, which should not exceed the
    number of idle cores.
    """
    way = Embedding(bilm, batch_tokens=batch_tokens, dtype=dtype, layers=layers)
    out = Path(out)
    if out.suffix not in FORMATS:
        raise ValueError(
            f"{out.name}: the name must end in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}"
        )
    chosen = token_lists(sentences)
    way.write(chosen, out, way.plan(chosen, out.suffix), progress)
    return out


class Embedding:
    """A model and the form its vectors are wanted in, hashed once for any number of files."""

    def __init__(
        self,
        bilm: BiLM | PackedBiLM,
        *,
        batch_tokens: int = 4096,
        dtype: torch.dtype = torch.float32,
        layers: str = "all",
    ):
        if dtype not in DTYPES:
            raise ValueError(f"{dtype} cannot be stored: choose torch.float32 or torch.float16")
        if batch_tokens < 1:
            raise ValueError(f"batch_tokens must be at least 1, not {batch_tokens}")
        if layers not in LAYERS:
            raise ValueError(f"layers={layers!r}: choose {', '.join(LAYERS[:-1])} or {LAYERS[-1]}")
        self.batch_tokens, self.dtype, self.layers = batch_tokens, dtype, layers
        self.bilm = bilm.packed()
        self._digest = hashlib.sha256()
        for part in self._identity():
            self._digest.update(_measured(part))

    def write(
        self, sentences: list[list[str]], out: Path, plan: Plan, progress: bool = True
    ) -> bool:
        """Write `out` according to `plan`; return whether it was missing."""
        if is_whole(out, plan.fingerprint):
            sweep(out)
            return False
        check_possible(plan)
        with one_job(out), threads_for(self.bilm.options):
            if is_whole(out, plan.fingerprint):  # by another process, just before this one began
                return False
            with filled(out, plan) as put, _bar(sum(map(len, sentences)), progress) as bar:
                for rows in batches([len(sentence) for sentence in sentences], self.batch_tokens):
                    chosen = [sentences[n] for n in rows]
                    put(rows, self.vectors(chosen))
                    bar.update(sum(map(len, chosen)))
        return True

    def plan(self, sentences: Sequence[Sequence[str]], kind: str) -> Plan:
        """Return what a file of these sentences holds, and what it is made from."""
        digest = self._digest.copy()
        for sentence in sentences:  # a pair of surrogates is not the letter that UTF-16 spells so
            text = json.dumps(sentence, ensure_ascii=False)
            digest.update(_measured(text.encode("utf-8", "surrogatepass")))
        shapes = [self._shape(len(sentence)) for sentence in sentences]
        return Plan(kind, shapes, self.dtype, digest.hexdigest())

    def vectors(self, sentences: list[list[str]]) -> Tensor:
        """Return the wanted layers of a batch, (B, L + 1, T, 2P) or (B, T, 2P)."""
        layers = self.bilm(sentences).layers
        if self.layers == "top":
            return layers[-1]
        return layers.mean(0) if self.layers == "average" else layers.transpose(0, 1)

    def _shape(self, length: int) -> Shape:
        levels, width = self.bilm.options.layers + 1, 2 * self.bilm.options.projection
        return (levels, length, width) if self.layers == "all" else (length, width)

    def _identity(self) -> Iterator[bytes]:
        bilm, types = self.bilm, (str(self.dtype), str(self.bilm.dtype))
        clips = [(layer.cell_clip, layer.proj_clip) for stack in bilm.directions for layer in stack]
        form = [bilm.options.to_json(), clips, self.batch_tokens, *types]
        yield json.dumps(form if self.layers == "all" else [*form, self.layers]).encode()
        for weight in bilm.weights():
            yield tensor_bytes(weight.cpu())


def embed_sentences(
    bilm: BiLM | PackedBiLM,
    sentences: Sequence[Sequence[str]],
    *,
    batch_tokens: int = 4096,
    layers: str = "all",
) -> list[Tensor]:
    """Return the vectors of every sentence, (L + 1, n, 2P) or (n, 2P) each, in the given order.

    `bilm(sentences)` pads all of them to the longest; here those of like length go together, so
    that memory and time grow with the tokens. Every sentence starts from zero states.
    """
    way = Embedding(bilm, batch_tokens=batch_tokens, layers=layers)
    chosen = token_lists(sentences)
    found = [torch.empty(0)] * len(chosen)
    with threads_for(way.bilm.options):
        for rows in batches([len(sentence) for sentence in chosen], batch_tokens):
            for n, vectors in zip(rows, way.vectors([chosen[n] for n in rows]), strict=True):
                found[n] = vectors[..., : len(chosen[n]), :].clone()
    return found


@contextmanager
def threads_for(options: Options) -> Iterator[None]:
    """Compute on one thread if a model is too small to share.

    On two idle cores, two threads make the course's model 1.2 times as fast; on two busy ones, 17
    times slower, because every step then waits for the slower core.
    """
    before = torch.get_num_threads()
    if options.cells * options.projection < SHARED:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def batches(lengths: Sequence[int], batch_tokens: int) -> list[list[int]]:
    """Group rows of similar length, at most `batch_tokens` each with padding and boundaries."""
    found: list[list[int]] = []
    batch: list[int] = []
    for n in sorted(range(len(lengths)), key=lambda n: -lengths[n]):
        longest = lengths[batch[0] if batch else n] + 2
        if batch and (len(batch) + 1) * longest > batch_tokens:
            found.append(batch)
            batch = []
        batch.append(n)
    return [*found, batch] if batch else found


def _measured(part: bytes) -> bytes:
    """Return the bytes with their length before them, so that no two parts read as two others."""
    return len(part).to_bytes(8, "little") + part


def _bar(total: int, shown: bool) -> tqdm:
    from tqdm.auto import tqdm

    return tqdm(total=total, unit=" tokens", unit_scale=True, desc="embedding", disable=not shown)
