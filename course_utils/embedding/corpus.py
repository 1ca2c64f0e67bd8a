"""Embed many sentences to a file, with progress, going on after an interruption."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch

from course_utils.embedding.job import Job, tensor_bytes
from course_utils.embedding.vector_file import KINDS, Plan, check_possible
from course_utils.models.elmo.bilm import BiLM
from course_utils.models.elmo.token_lists import token_lists
from course_utils.models.layers.autocast import autocast_type

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

    The name's ending chooses safetensors (open one that exceeds the memory with
    `safe_open(path, "np")`) or HDF5 (as the original code's dumps). Every sentence starts from zero
    states. Until all is done the file is called `out`.partial; after an interruption the same call
    goes on with the first batch that was not safely on the disk, and after the end it returns at
    once. Whatever else is called `out` stays as it is: FileExistsError.
    """
    out = Path(out)
    _check_settings(out, batch_tokens, dtype)
    sentences = token_lists(sentences)
    lengths = [len(sentence) for sentence in sentences]
    levels, width = bilm.options.layers + 1, 2 * bilm.options.projection
    shapes = [(levels, length, width) for length in lengths]
    plan = Plan(out.suffix, shapes, dtype, _fingerprint(bilm, sentences, batch_tokens, dtype))
    job = Job(out, plan)
    if not job.is_finished():
        check_possible(plan)
        _embed(bilm, sentences, job, batches(lengths, batch_tokens), progress)
    return out


def _check_settings(out: Path, batch_tokens: int, dtype: torch.dtype) -> None:
    if out.suffix not in KINDS:
        raise ValueError(f"{out.name}: the name must end in {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    if dtype not in DTYPES:
        raise ValueError(f"{dtype} cannot be stored: choose torch.float32 or torch.float16")
    if batch_tokens < 1:
        raise ValueError(f"batch_tokens must be at least 1, not {batch_tokens}")


def _embed(
    bilm: BiLM, sentences: list[list[str]], job: Job, order: list[list[int]], progress: bool
) -> None:
    with job, _bar(sum(map(len, sentences)), progress) as bar:
        for number, rows in enumerate(order):
            chosen = [sentences[n] for n in rows]
            if number >= job.done:
                with torch.no_grad():
                    job.write(number, rows, bilm(chosen).layers)
            bar.update(sum(map(len, chosen)))
        job.finish()


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


def _fingerprint(
    bilm: BiLM, sentences: Sequence[Sequence[str]], batch_tokens: int, dtype: torch.dtype
) -> str:
    digest = hashlib.sha256()
    for part in _identity(bilm, sentences, batch_tokens, dtype):
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()


def _identity(bilm: BiLM, sentences, batch_tokens: int, dtype: torch.dtype) -> Iterator[bytes]:
    types = str(dtype), str(autocast_type(bilm.encoder.projection.weight))
    yield json.dumps([bilm.options.to_json(), batch_tokens, *types]).encode()
    clips = [(lstm.cell_clip, lstm.proj_clip) for stack in bilm.directions for lstm in stack]
    yield json.dumps(clips).encode()  # as they are now, whatever the options said
    for name, weight in bilm.state_dict().items():
        yield name.encode()
        yield tensor_bytes(weight.detach().cpu())
    for sentence in sentences:
        yield json.dumps(sentence).encode()


def _bar(total: int, shown: bool):
    from tqdm.auto import tqdm

    return tqdm(total=total, unit=" tokens", unit_scale=True, desc="embedding", disable=not shown)
