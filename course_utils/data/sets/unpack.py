"""Unpack an archive without letting it write anywhere else, or more than it should."""

from __future__ import annotations

import gzip
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from course_utils.data.sets.digests import IntegrityError

MOST_BYTES = 1 << 30
MOST_FILES = 10_000
PIECE = 1 << 20
DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    gzip.BadGzipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
)


def unpack(
    archive: Path, folder: Path, most_bytes: int = MOST_BYTES, most_files: int = MOST_FILES
) -> list[Path]:
    """Put the files of a zip or tar archive into a folder; return where they are.

    Only plain files with plain names: no links, no devices, no way out of the folder, no name
    twice. The limits hold for what really comes out, whatever the archive says of itself.
    """
    try:
        return _unpack(archive, folder, most_bytes, most_files)
    except DAMAGE as error:
        raise IntegrityError(f"{archive.name} is damaged: {error}") from error


def _unpack(archive: Path, folder: Path, most_bytes: int, most_files: int) -> list[Path]:
    written: dict[str, Path] = {}
    left = most_bytes
    for name, source in _members(archive):
        target = _inside(folder, name)
        if target.as_posix().casefold() in written:
            raise IntegrityError(f"{archive.name} holds {name} twice")
        if len(written) == most_files:
            raise IntegrityError(f"{archive.name} holds more than {most_files:,} files")
        target.parent.mkdir(parents=True, exist_ok=True)
        with source, target.open("xb") as out:
            while piece := source.read(PIECE):
                left -= len(piece)
                if left < 0:
                    raise IntegrityError(f"{archive.name} unpacks to over {most_bytes:,} bytes")
                out.write(piece)
        written[target.as_posix().casefold()] = target
    return list(written.values())


def _members(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield each file's name and content; raise at anything that is neither file nor folder."""
    if zipfile.is_zipfile(archive):
        yield from _zip_members(archive)
    elif tarfile.is_tarfile(archive):
        yield from _tar_members(archive)
    else:
        raise IntegrityError(f"{archive.name} is neither a zip nor a tar archive")


def _zip_members(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(archive) as opened:
        for member in opened.infolist():
            kind = (member.external_attr >> 16) & 0o170000
            if kind not in (0, 0o100000, 0o040000):
                raise IntegrityError(f"{archive.name} holds a link or device: {member.filename}")
            if member.flag_bits & 1:
                raise IntegrityError(f"{archive.name} holds an encrypted file: {member.filename}")
            if not member.is_dir():
                yield member.filename, opened.open(member)


def _tar_members(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    with tarfile.open(archive) as opened:
        for member in opened:
            if not (member.isfile() or member.isdir()):
                raise IntegrityError(f"{archive.name} holds a link or device: {member.name}")
            if member.isfile():
                yield member.name, opened.extractfile(member)


def _inside(folder: Path, name: str) -> Path:
    """Return where a member goes; refuse every name that could lead out of the folder."""
    parts = PurePosixPath(name).parts
    odd = not parts or name.startswith("/") or ".." in parts
    if odd or any(sign in name for sign in ("\\", ":", "\0")):
        raise IntegrityError(f"the archive's file {name!r} would leave its folder")
    return folder.joinpath(*parts)
