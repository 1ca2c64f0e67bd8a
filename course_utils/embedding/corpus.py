"""Embed many sentences to a file, with progress, going on after an interruption."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from course_utils.embedding.job import Job, one_job, tensor_bytes
from course_utils.embedding.vector_file import FORMATS, Plan, check_possible
from course_utils.models.elmo.batch import token_lists
from course_utils.models.elmo.bilm import BiLM
from course_utils.models.elmo.fast.packed import PackedBiLM
from course_utils.models.elmo.options import Options

if TYPE_CHECKING:
    from tqdm import tqdm

DTYPES = (torch.float32, torch.float16)
SHARED = 2**17  # numbers of a projection: the course's model has fewer, the published ones more


def embed_corpus(
    bilm: BiLM | PackedBiLM,
    sentences: Sequence[Sequence[str]],
    out: str | os.PathLike[str],
    *,
    batch_tokens: int = 4096,
    dtype: torch.dtype = torch.float32,
    progress: bool = True,
) -> Path:
    """Write each sentence's layers as array "0", "1", ... of shape (L + 1, n, 2P); return the path.

    The name's ending chooses safetensors (open one that exceeds the memory with
    `safe_open(path, "np")`) or HDF5 (as the original code's dumps). Every sentence starts from zero
    states. Until all is done the file is called `out`.partial; after an interruption the same call
    goes on with the batches that were not safely on the disk, and after the end it returns at
    once. Whatever else is called `out` stays as it is: FileExistsError. Where another process is
    writing it: CorpusInUse. A small model is computed on one thread, since its products are too
    small to be shared; a large one on as many as torch.set_num_threads says, which should not be
    more than there are idle cores.
    """
    out = Path(out)
    _check_settings(out, batch_tokens, dtype)
    sentences = token_lists(sentences)
    lengths = [len(sentence) for sentence in sentences]
    levels, width = bilm.options.layers + 1, 2 * bilm.options.projection
    shapes = [(levels, length, width) for length in lengths]
    packed = bilm.packed()
    plan = Plan(out.suffix, shapes, dtype, _fingerprint(packed, sentences, batch_tokens, dtype))
    job = Job(out, plan, batches(lengths, batch_tokens))
    if not job.is_finished():
        check_possible(plan)
        with one_job(out), threads_for(bilm.options):
            if not job.is_finished():  # by another process, just before this one could begin
                _embed(packed, sentences, job, progress)
    return out


def _check_settings(out: Path, batch_tokens: int, dtype: torch.dtype) -> None:
    if out.suffix not in FORMATS:
        raise ValueError(
            f"{out.name}: the name must end in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}"
        )
    if dtype not in DTYPES:
        raise ValueError(f"{dtype} cannot be stored: choose torch.float32 or torch.float16")
    if batch_tokens < 1:
        raise ValueError(f"batch_tokens must be at least 1, not {batch_tokens}")


def _embed(bilm: PackedBiLM, sentences: list[list[str]], job: Job, progress: bool) -> None:
    with job.opened(), _bar(sum(map(len, sentences)), progress) as bar:
        for number, rows in enumerate(job.batches):
            chosen = [sentences[n] for n in rows]
            if number not in job.done:
                job.write(number, bilm(chosen).layers)
            bar.update(sum(map(len, chosen)))
        job.finish()


@contextmanager
def threads_for(options: Options) -> Iterator[None]:
    """Compute on one thread where a model is too small to be shared.

    On two idle cores two threads make the course's model 1.2 times as fast, on two busy ones 17
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
    """Return rows of like length together, at most `batch_tokens` with padding and boundaries."""
    found: list[list[int]] = []
    batch: list[int] = []
    for n in sorted(range(len(lengths)), key=lambda n: -lengths[n]):
        longest = lengths[batch[0] if batch else n] + 2
        if batch and (len(batch) + 1) * longest > batch_tokens:
            found.append(batch)
            batch = []
        batch.append(n)
    return [*found, batch] if batch else found


def _fingerprint(
    bilm: PackedBiLM, sentences: Sequence[Sequence[str]], batch_tokens: int, dtype: torch.dtype
) -> str:
    digest = hashlib.sha256()
    for part in _identity(bilm, sentences, batch_tokens, dtype):
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()


def _identity(
    bilm: PackedBiLM, sentences: Sequence[Sequence[str]], batch_tokens: int, dtype: torch.dtype
) -> Iterator[bytes]:
    types = str(dtype), str(bilm.dtype)
    clips = [(layer.cell_clip, layer.proj_clip) for stack in bilm.directions for layer in stack]
    yield json.dumps([bilm.options.to_json(), clips, batch_tokens, *types]).encode()
    for weight in bilm.weights():
        yield tensor_bytes(weight.cpu())
    for sentence in sentences:  # a pair of surrogates is not the letter that UTF-16 spells so
        yield json.dumps(sentence, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _bar(total: int, shown: bool) -> tqdm:
    from tqdm.auto import tqdm

    return tqdm(total=total, unit=" tokens", unit_scale=True, desc="embedding", disable=not shown)
