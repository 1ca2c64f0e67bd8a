"""A file with one array per sentence, all laid out before the first one is filled.

So arrays can arrive in any order. The file also carries the fingerprint of what it was made from,
where readers of its arrays do not see it.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import torch
from safetensors import SafetensorError, safe_open

from course_utils.models.elmo.official.format import import_h5py

if TYPE_CHECKING:
    import h5py

Shape = tuple[int, ...]  # (L + 1, n, 2P) or (n, 2P)
SAFETENSORS, HDF5 = ".safetensors", (".hdf5", ".h5")
FORMATS = (SAFETENSORS, *HDF5)
HEADER_LIMIT = 100_000_000  # bytes: the safetensors library opens no file with a longer header
FINGERPRINT = "fingerprint"


class Plan(NamedTuple):
    """What a file is to hold, and from what it is made."""

    kind: str  # one of FORMATS
    shapes: Sequence[Shape]
    dtype: torch.dtype
    fingerprint: str

    def size(self, n: int) -> int:
        """Return how many bytes array n has."""
        return math.prod(self.shapes[n]) * self.dtype.itemsize


def check_possible(plan: Plan) -> None:
    """Refuse, before anything is written, a file that could not be made or not be opened."""
    if plan.kind in HDF5:
        import_h5py(f", or choose a name that ends in {SAFETENSORS}")
    elif _padded(sum(map(len, _header(plan)))) > HEADER_LIMIT:
        raise ValueError(
            f"{len(plan.shapes):,} sentences are too many for one {SAFETENSORS} file, whose "
            f"header may have {HEADER_LIMIT:,} bytes: choose a name that ends in {HDF5[0]}, "
            "or write several files, each of a part of the sentences"
        )


def lay_out(path: Path, plan: Plan) -> list[int]:
    """Create the file for arrays "0", "1", ... and return the byte at which each begins."""
    (_lay_out_hdf5 if plan.kind in HDF5 else _lay_out_safetensors)(path, plan)
    return _places(path, plan)


def _places(path: Path, plan: Plan) -> list[int]:
    """Return the byte at which each array of a file that was just laid out begins."""
    if plan.kind in HDF5:
        with import_h5py().File(path, "r") as file:  # 0: nothing to write
            return [file[str(n)].id.get_offset() or 0 for n in range(len(plan.shapes))]
    with path.open("rb") as file:
        start = 8 + int.from_bytes(file.read(8), "little")
    return [start + offset for offset in _offsets(plan)[:-1]]


def read_fingerprint(path: Path, kind: str) -> str | None:
    """Return what `path` says it was made from; None if it is not a whole file of this kind."""
    try:
        if kind in HDF5:
            with import_h5py().File(path, "r") as file:
                found = file.attrs.get(FINGERPRINT)
        else:
            with safe_open(path, "np") as file:  # "pt" opens no file that exceeds the memory
                found = (file.metadata() or {}).get(FINGERPRINT)
    except (OSError, RuntimeError, KeyError, SafetensorError):  # what damaged files raise
        return None
    return found if isinstance(found, str) else None


def _offsets(plan: Plan) -> list[int]:
    offsets = [0]
    for n in range(len(plan.shapes)):
        offsets.append(offsets[-1] + plan.size(n))
    return offsets


def _header(plan: Plan) -> Iterator[bytes]:
    """Yield the header in pieces, so that its length can be known before it is in memory."""
    name = {torch.float32: "F32", torch.float16: "F16"}[plan.dtype]
    yield b'{"__metadata__":{"%s":"%s"}' % (FINGERPRINT.encode(), plan.fingerprint.encode())
    offsets = _offsets(plan)
    for n, shape in enumerate(plan.shapes):
        entry = {"dtype": name, "shape": shape, "data_offsets": offsets[n : n + 2]}
        yield f',"{n}":{json.dumps(entry, separators=(",", ":"))}'.encode()
    yield b"}"


def _padded(length: int) -> int:
    return length + -length % 8


def _lay_out_safetensors(path: Path, plan: Plan) -> None:
    text = b"".join(_header(plan))
    text = text.ljust(_padded(len(text)))
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        file.truncate(8 + len(text) + _offsets(plan)[-1])


def _lay_out_hdf5(path: Path, plan: Plan) -> None:
    h5py = import_h5py()
    making = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    making.set_layout(h5py.h5d.CONTIGUOUS)
    making.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)  # so that every array has its place now
    making.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    making.set_obj_track_times(False)  # equal vectors, equal bytes
    kind = {torch.float32: h5py.h5t.IEEE_F32LE, torch.float16: h5py.h5t.IEEE_F16LE}[plan.dtype]
    with new_hdf5(path) as file:
        file.attrs[FINGERPRINT] = plan.fingerprint
        for n, shape in enumerate(plan.shapes):
            space = h5py.h5s.create_simple(shape)
            h5py.h5d.create(file.id, str(n).encode(), kind, space, making)


def new_hdf5(path: Path) -> h5py.File:
    """Open a new file without timestamps, in the form of HDF5 1.8, which every reader knows."""
    h5py = import_h5py()
    making, access = h5py.h5p.create(h5py.h5p.FILE_CREATE), h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    making.set_obj_track_times(False)
    access.set_libver_bounds(h5py.h5f.LIBVER_V18, h5py.h5f.LIBVER_V18)
    access.set_fclose_degree(h5py.h5f.CLOSE_STRONG)
    number = h5py.h5f.create(os.fsencode(path), h5py.h5f.ACC_TRUNC, fcpl=making, fapl=access)
    return h5py.File(number)
