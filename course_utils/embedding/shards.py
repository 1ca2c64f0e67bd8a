"""A file of sentences embedded by many processes: shards that are whole or not there, and an index.

The processes never speak with one another. Each makes the shards that are its own, then helps with
those that nobody is making; the last one to end finds all of them whole and writes the index.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from course_utils.embedding.corpus import Embedding
from course_utils.embedding.job import CorpusInUse
from course_utils.embedding.reading import Line, read_lines
from course_utils.embedding.settings import agree
from course_utils.embedding.vector_file import FORMATS, HDF5, check_possible, new_hdf5
from course_utils.files import (
    HeldByAnother,
    only_writer,
    refuse_folders,
    replacing,
    sweep_partials,
    write_whole,
)
from course_utils.models.elmo.official.format import import_h5py

INDEX = "index.json"
AS_ONE = "vectors.hdf5"
TO_INDEX = "sentence_to_index"


class Shard(NamedTuple):
    """Part of the sentences, and the file for them."""

    path: Path
    first: int
    lines: list[Line]

    @property
    def sentences(self) -> list[list[str]]:
        return [line.tokens for line in self.lines]


class Source(NamedTuple):
    """The sentences, and how they are shared out."""

    path: Path
    raw: bool
    size: int  # sentences a shard
    kind: str  # how the names of the shards end

    def shards(self, folder: Path) -> Iterator[Shard]:
        """Yield every shard; no more than one is in memory."""
        lines, number = read_lines(self.path, self.raw), 0
        while part := list(islice(lines, self.size)):
            path = folder / f"shard-{number:05}{self.kind}"
            yield Shard(path, number * self.size, part)
            number += 1


def embed_file(
    embedding: Embedding,
    source: Source,
    folder: Path,
    *,
    worker: int = 0,
    workers: int = 1,
    tell: Callable[[str], None] = print,
) -> bool:
    """Embed a file of sentences; return whether all shards are whole and the index is written.

    After an interruption the same call goes on. Where other processes work on it too, each call
    but the last one returns False; where they make something else of it, ValueError.
    """
    planned = [_entry(embedding, shard, source.kind) for shard in source.shards(folder)]
    agree(folder, _settings(embedding, source), planned)
    refuse_folders(folder / INDEX, folder / AS_ONE)
    for number, shard in enumerate(source.shards(folder)):
        if number % workers == worker:
            _make(embedding, shard, tell)
    while True:
        made, held = 0, 0
        for shard in source.shards(folder):
            done = _make(embedding, shard, tell)
            if done is None:
                held += 1
            else:
                made += done
        if not held:
            return _bind_alone(folder, embedding, source, planned)
        if not made:
            tell(f"the other processes are making the last {held}; the one that ends last binds")
            return False


def _make(embedding: Embedding, shard: Shard, tell: Callable[[str], None]) -> bool | None:
    """Make a shard; return whether there was anything to do, None while another makes it."""
    try:
        made = embedding.write(shard.sentences, shard.path, progress=False)
    except CorpusInUse:
        return None
    if made:
        last = shard.first + len(shard.lines) - 1
        tell(f"{shard.path.name}: sentences {shard.first:,} to {last:,}")
    return made


def _entry(embedding: Embedding, shard: Shard, kind: str) -> dict[str, Any]:
    plan = embedding.plan(shard.sentences, kind)
    check_possible(plan)
    made_from = plan.fingerprint
    return {"file": shard.path.name, "sentences": len(shard.lines), "fingerprint": made_from}


def _settings(embedding: Embedding, source: Source) -> dict[str, Any]:
    """Return, by the names that the command has for them, what a call can be unlike another in."""
    return {
        "shard": source.size,
        "raw": source.raw,
        "kind": source.kind.removeprefix("."),
        "layers": embedding.layers,
        "numbers": str(embedding.dtype).removeprefix("torch."),
        "batch-tokens": embedding.batch_tokens,
    }


def _bind_alone(
    folder: Path, embedding: Embedding, source: Source, whole: list[dict[str, Any]]
) -> bool:
    """Write the index unless another process does so just now; return whether it was this one."""
    try:
        with only_writer(folder / f".{INDEX}.lock"):
            for name in (INDEX, AS_ONE):
                sweep_partials(folder, f"{name}.*")
            _bind(folder, embedding, source, whole)
    except HeldByAnother:
        return False
    return True


def _bind(folder: Path, embedding: Embedding, source: Source, whole: list[dict[str, Any]]) -> None:
    """Write the index, and for HDF5 the one file that looks as the original tools' did."""
    ours = {entry["file"] for entry in whole}
    there = {path.name for path in folder.glob("shard-*") if path.suffix in FORMATS}
    if there - ours:
        raise ValueError(
            f"{folder} holds {min(there - ours)}, which is not of these sentences: delete it, or "
            "choose another folder"
        )
    if source.kind in HDF5:
        _write_as_one(folder / AS_ONE, source, folder)
    total = sum(entry["sentences"] for entry in whole)
    index = {"sentences": total, "layers": embedding.layers, "shards": whole}
    write_whole(folder / INDEX, (json.dumps(index, indent=1) + "\n").encode())


def _write_as_one(path: Path, source: Source, folder: Path) -> None:
    """Link every sentence's array under its number, and note the number of every sentence."""
    h5py = import_h5py()
    places: dict[str, str] = {}
    with replacing(path) as partial, new_hdf5(partial) as file:
        for shard in source.shards(folder):
            for n, line in enumerate(shard.lines):
                file[str(shard.first + n)] = h5py.ExternalLink(shard.path.name, f"/{n}")
                places.setdefault(line.text, str(shard.first + n))
        kind = h5py.string_dtype()
        file.create_dataset(TO_INDEX, (1,), kind, track_times=False)[0] = json.dumps(places)
