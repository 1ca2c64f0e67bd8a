"""Check the compressed chunks of an HDF5 file before HDF5 unpacks them.

HDF5 allocates memory for whatever a chunk's gzip stream holds, however small the chunk claims to
be. So every stream is first unpacked here, up to the size of its chunk.
"""

from __future__ import annotations

import math
import zlib
from typing import TYPE_CHECKING

from course_utils.models.elmo.official.format import import_h5py

if TYPE_CHECKING:
    import h5py

UNPACK = "`h5repack -f NONE OLD NEW` writes the file without packing"


def packing_problem(item: h5py.Dataset) -> str:
    """Return what is wrong with the chunks of a dataset, or nothing."""
    h5z, making = import_h5py().h5z, item.id.get_create_plist()
    filters = [making.get_filter(n)[0] for n in range(making.get_nfilters())]
    if not filters:
        return ""
    if filters not in ([h5z.FILTER_DEFLATE], [h5z.FILTER_SHUFFLE, h5z.FILTER_DEFLATE]):
        return f"is packed in another way than by gzip: {UNPACK}"
    if any(c > n for c, n in zip(item.chunks, item.shape, strict=True)):
        return f"lies in chunks of {item.chunks}, larger than itself: they are not unpacked"
    most = math.prod(item.chunks) * item.dtype.itemsize
    for chunk in item.iter_chunks():
        mask, packed = item.id.read_direct_chunk(tuple(part.start for part in chunk))
        if mask:
            return f"has chunks that left out a step of their packing: {UNPACK}"
        if len(zlib.decompressobj().decompress(packed, most + 1)) > most:
            return f"has a chunk that unpacks to more than its {most:,} bytes: get the file again"
    return ""
