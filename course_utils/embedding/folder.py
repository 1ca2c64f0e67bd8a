"""A folder of vectors: the planned shards, the index, and nothing that is not ours.

A file with one of these names must be the file we planned: anything else is somebody's, and is
refused before there is work to lose.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from course_utils.embedding.corpus import Embedding
from course_utils.embedding.job import CorpusInUse, is_whole
from course_utils.embedding.reading import Shard, Source
from course_utils.embedding.settings import as_json
from course_utils.embedding.vector_file import FINGERPRINT, FORMATS, HDF5, new_hdf5
from course_utils.files import refuse_folders, replacing, sweep_partials, write_whole
from course_utils.models.elmo.official.format import import_h5py

INDEX = "index.json"
AS_ONE = "vectors.hdf5"
TO_INDEX = "sentence_to_index"


class Folder(NamedTuple):
    """What a folder is to hold: the shards of a source, as they were planned."""

    path: Path
    embedding: Embedding
    source: Source
    planned: list[dict[str, Any]]

    def make(self, wanted: Callable[[int], bool], tell: Callable[[str], None]) -> tuple[int, int]:
        """Make the wanted shards; return how many were missing, and how many another makes."""
        made, held = 0, 0
        for number, shard in self._shards():
            if not wanted(number):
                continue
            plan = self.embedding.plan(shard.sentences, self.source.kind)
            if plan.fingerprint != self.planned[number]["fingerprint"]:
                raise self._changed()
            try:
                if self.embedding.write(shard.sentences, shard.path, plan, progress=False):
                    last = shard.first + len(shard.lines) - 1
                    tell(f"{shard.path.name}: sentences {shard.first:,} to {last:,}")
                    made += 1
            except CorpusInUse:
                held += 1
        return made, held

    def refuse_others(self) -> None:
        """Refuse files that only share the name of one of ours, and shards of other sentences."""
        refuse_folders(self.path / INDEX, self.path / AS_ONE)
        self.missing()  # raises for a shard of something else
        ours = {entry["file"] for entry in self.planned}
        there = {path.name for path in self.path.glob("shard-*") if path.suffix in FORMATS}
        if there - ours:
            raise ValueError(
                f"{self.path} holds {min(there - ours)}, which is not part of these "
                "sentences: move it away, or choose another folder"
            )
        if self.source.kind in HDF5:
            is_whole(self.path / AS_ONE, self._fingerprint())
        index = self.path / INDEX
        if os.path.lexists(index) and not (index.is_file() and index.read_bytes() == self._index()):
            raise FileExistsError(
                f"{index} exists, and is not the index of these vectors: choose another folder, or "
                "move it away and call again"
            )

    def missing(self) -> list[str]:
        """Return the shards that are not there."""
        return [
            entry["file"]
            for entry in self.planned
            if not is_whole(self.path / entry["file"], entry["fingerprint"])
        ]

    def bind(self) -> None:
        """Write the index, and for HDF5 the one file that looks as the original tools' did."""
        if missing := self.missing():
            raise ValueError(f"{self.path / missing[0]} was made and has disappeared: call again")
        self.refuse_others()
        for name in (INDEX, AS_ONE):
            sweep_partials(self.path, f"{name}.*")
        if self.source.kind in HDF5 and not (self.path / AS_ONE).exists():
            self._write_as_one()
        write_whole(self.path / INDEX, self._index())

    def _index(self) -> bytes:
        total = sum(entry["sentences"] for entry in self.planned)
        return as_json(
            {"sentences": total, "layers": self.embedding.layers, "shards": self.planned}
        )

    def _shards(self) -> Iterator[tuple[int, Shard]]:
        """Yield every shard with its number; see that there are as many as planned."""
        number = -1
        for number, shard in enumerate(self.source.shards(self.path)):
            if number == len(self.planned):
                raise self._changed()
            yield number, shard
        if number + 1 < len(self.planned):
            raise self._changed()

    def _changed(self) -> ValueError:
        return ValueError(
            f"{self.source.path} was changed while it was read, so {self.path} is not finished: "
            "give the file as it was at the beginning, or choose another folder"
        )

    def _fingerprint(self) -> str:
        """Return what tells the one file of these shards from any other."""
        return hashlib.sha256(json.dumps(self.planned).encode()).hexdigest()

    def _write_as_one(self) -> None:
        """Link every sentence's array under its number, and note the number of every sentence."""
        h5py = import_h5py()
        places: dict[str, str] = {}
        with replacing(self.path / AS_ONE) as partial, new_hdf5(partial) as file:
            file.attrs[FINGERPRINT] = self._fingerprint()
            for _, shard in self._shards():
                for n, line in enumerate(shard.lines):
                    file[str(shard.first + n)] = h5py.ExternalLink(shard.path.name, f"/{n}")
                    places.setdefault(line.text, str(shard.first + n))
            kind = h5py.string_dtype()
            file.create_dataset(TO_INDEX, (1,), kind, track_times=False)[0] = json.dumps(places)
