"""The one package that only official ELMo files need, imported when one is touched."""

from __future__ import annotations


def import_h5py(instead: str = ""):
    """Return h5py, or say how to get it, and what would do without it."""
    try:
        import h5py
    except ImportError as error:
        raise ImportError(
            f'this is an HDF5 file: pip install "recurrent-course[elmo]"{instead}'
        ) from error
    return h5py
