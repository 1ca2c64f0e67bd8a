"""A file of one array per sentence whose places are all known before the first one is filled.

So arrays can arrive in any order, a killed run leaves a file whose structure is whole, and writing
the same array again does no harm.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from pathlib import Path

import torch

from course_utils.models.elmo.hdf5 import import_h5py

Shape = tuple[int, int, int]  # (L + 1, n, 2P)


def lay_out(path: Path, shapes: Sequence[Shape], dtype: torch.dtype, kind: str) -> list[int]:
    """Create the file for arrays "0", "1", ... and return the byte at which each begins."""
    return {".safetensors": _lay_out_safetensors, ".hdf5": _lay_out_hdf5}[kind](path, shapes, dtype)


def places(path: Path, shapes: Sequence[Shape], dtype: torch.dtype, kind: str) -> list[int]:
    """Return the byte at which each array of an existing file begins."""
    if kind == ".hdf5":
        return _hdf5_places(path, len(shapes))
    with path.open("rb") as file:
        start = 8 + int.from_bytes(file.read(8), "little")
    return [start + offset for offset in _offsets(shapes, dtype)[:-1]]


def _offsets(shapes: Sequence[Shape], dtype: torch.dtype) -> list[int]:
    offsets = [0]
    for shape in shapes:
        offsets.append(offsets[-1] + math.prod(shape) * dtype.itemsize)
    return offsets


def _lay_out_safetensors(path: Path, shapes: Sequence[Shape], dtype: torch.dtype) -> list[int]:
    offsets = _offsets(shapes, dtype)
    name = {torch.float32: "F32", torch.float16: "F16"}[dtype]
    header = {
        str(n): {"dtype": name, "shape": list(shape), "data_offsets": offsets[n : n + 2]}
        for n, shape in enumerate(shapes)
    }
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        file.truncate(8 + len(text) + offsets[-1])
        os.fsync(file.fileno())
    return places(path, shapes, dtype, ".safetensors")


def _lay_out_hdf5(path: Path, shapes: Sequence[Shape], dtype: torch.dtype) -> list[int]:
    h5py = import_h5py(", or choose a name that ends in .safetensors")
    plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plan.set_layout(h5py.h5d.CONTIGUOUS)
    plan.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)  # so that every array has its place now
    plan.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    kind = {torch.float32: h5py.h5t.IEEE_F32LE, torch.float16: h5py.h5t.IEEE_F16LE}[dtype]
    with h5py.File(path, "w", libver="latest") as file:
        for n, shape in enumerate(shapes):
            space = h5py.h5s.create_simple(shape)
            h5py.h5d.create(file.id, str(n).encode(), kind, space, plan)
    return _hdf5_places(path, len(shapes))


def _hdf5_places(path: Path, count: int) -> list[int]:
    with import_h5py().File(path, "r") as file:
        return [file[str(n)].id.get_offset() or 0 for n in range(count)]  # 0: nothing to write
