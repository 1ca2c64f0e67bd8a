"""Read embedded sentences one by one, however many files they are in."""

from __future__ import annotations

import json
import os
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from safetensors import safe_open

from course_utils.embedding.folder import INDEX
from course_utils.embedding.vector_file import HDF5
from course_utils.models.elmo.official.format import import_h5py

if TYPE_CHECKING:
    import numpy as np

OPEN = 16  # files at a time


class Vectors(Sequence["np.ndarray"]):
    """The vectors of every sentence of a file, in its order, each read when it is asked for."""

    def __init__(self, folder: str | os.PathLike[str]):
        self.folder = Path(folder)
        index = self._index()
        self.layers: str = index["layers"]
        self._files = [shard["file"] for shard in index["shards"]]
        self._ends = list(accumulate(shard["sentences"] for shard in index["shards"]))
        self._opened = lru_cache(OPEN)(self._open)

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, n: int) -> np.ndarray: ...
    @overload
    def __getitem__(self, n: slice) -> list[np.ndarray]: ...
    def __getitem__(self, n: int | slice) -> np.ndarray | list[np.ndarray]:
        """Return the vectors of sentence n, (L + 1, tokens, 2P) or (tokens, 2P)."""
        if isinstance(n, slice):
            return [self[m] for m in range(*n.indices(len(self)))]
        if not -len(self) <= n < len(self):
            raise IndexError(f"there are {len(self):,} sentences, so none has the number {n}")
        n %= len(self)
        shard = bisect_right(self._ends, n)
        first = self._ends[shard - 1] if shard else 0
        found: np.ndarray = self._opened(self._files[shard])(str(n - first))
        return found

    def _open(self, name: str) -> Any:
        """Return what gives the array of a name in one shard."""
        path = self.folder / name
        if path.suffix in HDF5:
            file = import_h5py().File(path, "r")
            return lambda key: file[key][()]
        return safe_open(path, "np").get_tensor

    def _index(self) -> dict[str, Any]:
        path = self.folder / INDEX
        if not path.exists():
            raise FileNotFoundError(
                f"{path} is not there: it is written once every shard is complete: run the "
                "same `course embed` again, and it goes on"
            )
        found: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
        return found


def open_vectors(folder: str | os.PathLike[str]) -> Vectors:
    """Return the vectors that `course embed FILE --out FOLDER` made."""
    return Vectors(folder)
