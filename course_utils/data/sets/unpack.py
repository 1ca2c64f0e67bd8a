"""Unpack an archive without letting it write anywhere else, or more than it should."""

from __future__ import annotations

import errno
import gzip
import io
import shutil
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from course_utils.data.sets.digests import IntegrityError
from course_utils.files import FULL

MOST_BYTES = 1 << 30
MOST_FILES = 10_000  # and folders
MOST_HEADER = 1 << 16  # bytes that a tar may spend on describing one file
DEEPEST, LONGEST = 20, 200  # folders in each other, and characters of a name
PIECE = 1 << 20
GZIPPED = b"\x1f\x8b"
TAR_SIGN = slice(257, 262)
DAMAGE = (  # what zipfile, tarfile, gzip and zlib raise when they are given nonsense
    zipfile.BadZipFile,
    tarfile.TarError,
    gzip.BadGzipFile,
    zlib.error,
    struct.error,
    EOFError,
    IndexError,
    NotImplementedError,
    OverflowError,
    ValueError,
)


def unpack(
    archive: Path,
    folder: Path,
    most_bytes: int = MOST_BYTES,
    most_files: int = MOST_FILES,
    taken: Iterable[str] = (),
) -> list[Path]:
    """Put the files of a zip, tar or tar.gz archive into a folder; return where they are.

    Only plain files with plain names: no links, no devices, no way out of the folder, no name
    twice, none that is there already or `taken`. The limits hold for what really comes out,
    whatever the archive says of itself; a damaged archive leaves nothing.
    """
    scratch = folder / ".unpacking"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    try:
        out = scratch / "out"
        out.mkdir()
        written = _unpack(archive, scratch, out, most_bytes, most_files)
        _refuse_taken(archive, folder, out, taken)
        for path in sorted(out.iterdir()):
            path.rename(folder / path.name)
        return [folder / path.relative_to(out) for path in written]
    except IntegrityError:
        raise
    except DAMAGE as error:
        raise IntegrityError(f"{archive.name} is damaged: {str(error)[:200]!r}") from error
    except OSError as error:
        if error.errno != errno.EINVAL:  # a place before the file's begin, asked for by a header
            raise
        raise IntegrityError(f"{archive.name} is damaged: {error.strerror}") from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _unpack(
    archive: Path, scratch: Path, out: Path, most_bytes: int, most_files: int
) -> list[Path]:
    written: dict[str, Path] = {}
    left = most_bytes
    for number, (name, size, source) in enumerate(_members(archive, scratch, most_bytes)):
        if number == most_files:
            raise IntegrityError(f"{archive.name} holds more than {most_files:,} files")
        target = _inside(out, name)
        if source is None:  # a folder
            continue
        if target.as_posix().casefold() in written:
            raise IntegrityError(f"{archive.name} holds {name!r} twice")
        with source, _created(target) as file:
            while piece := source.read(min(PIECE, left + 1)):
                left -= len(piece)
                if left < 0:
                    raise IntegrityError(f"{archive.name} unpacks to over {most_bytes:,} bytes")
                file.write(piece)
            if file.tell() != size:
                raise IntegrityError(f"{archive.name} is damaged: {name!r} is cut short")
        written[target.as_posix().casefold()] = target
    return list(written.values())


def _members(
    archive: Path, scratch: Path, most_bytes: int
) -> Iterator[tuple[str, int, IO[bytes] | _Slice | None]]:
    """Yield each file's name, size and content, None for a folder; raise at anything else."""
    with archive.open("rb") as file:
        head = file.read(tarfile.BLOCKSIZE)
    if head.startswith(GZIPPED):
        yield from _tar_members(archive, _gunzipped(archive, scratch, most_bytes))
    elif head[TAR_SIGN] != b"ustar" and zipfile.is_zipfile(archive):  # a tar may end with a zip
        yield from _zip_members(archive)
    else:
        yield from _tar_members(archive, archive)


def _zip_members(archive: Path) -> Iterator[tuple[str, int, IO[bytes] | _Slice | None]]:
    with zipfile.ZipFile(archive) as opened:
        for member in opened.infolist():
            name, kind = member.filename, (member.external_attr >> 16) & 0o170000
            is_folder = name.endswith("/")
            if kind not in (0, 0o040000 if is_folder else 0o100000):
                raise IntegrityError(f"{archive.name} holds a link or device: {name!r}")
            if member.flag_bits & 1:
                raise IntegrityError(f"{archive.name} holds an encrypted file: {name!r}")
            if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise IntegrityError(f"{archive.name} packs {name!r} in another way than zip files")
            yield name, member.file_size, None if is_folder else opened.open(member)


def _gunzipped(archive: Path, scratch: Path, most_bytes: int) -> Path:
    """Return the content of a gzip file, read to its checksum before any of it is believed."""
    tar, most = scratch / "tar", most_bytes + MOST_FILES * tarfile.RECORDSIZE
    with gzip.open(archive) as source, tar.open("wb") as out:
        while piece := source.read(PIECE):
            out.write(piece)
            if out.tell() > most:
                raise IntegrityError(f"{archive.name} unpacks to over {most_bytes:,} bytes")
    return tar


def _tar_members(archive: Path, tar: Path) -> Iterator[tuple[str, int, IO[bytes] | _Slice | None]]:
    with tar.open("rb") as file:
        headers = _Headers(archive.name, file)
        try:
            opened = tarfile.TarFile(fileobj=headers)  # type: ignore[arg-type]  # a tar is only read
        except tarfile.ReadError as error:
            raise IntegrityError(f"{archive.name} is neither a zip nor a tar archive") from error
        for member in opened:
            if not (member.isreg() or member.isdir()) or member.issparse():
                raise IntegrityError(f"{archive.name} holds a link or device: {member.name!r}")
            if member.size < 0:  # to read(-1) is to read all that follows
                raise IntegrityError(
                    f"{archive.name} is damaged: {member.name!r} has less than 0 bytes"
                )
            file.seek(member.offset_data)
            content = None if member.isdir() else _Slice(file, member.size)
            yield member.name, member.size, content
            headers.left = MOST_HEADER
        file.seek(opened.offset)  # tarfile takes any header that it cannot read for the end
        if file.read(tarfile.BLOCKSIZE) != bytes(tarfile.BLOCKSIZE):
            raise IntegrityError(f"{archive.name} is damaged: it does not end as a tar does")


class _Headers:
    """A tar as tarfile reads it, which takes whole headers into memory: only up to a limit each."""

    def __init__(self, name: str, file: IO[bytes]):
        self.name, self.file, self.left = name, file, MOST_HEADER
        self.seek, self.tell = file.seek, file.tell

    def read(self, size: int) -> bytes:
        self.left -= size
        if self.left < 0:
            raise IntegrityError(f"{self.name} has a header of over {MOST_HEADER:,} bytes")
        return self.file.read(size)


class _Slice(io.RawIOBase):
    """The next bytes of an open file, and no more."""

    def __init__(self, file: IO[bytes], size: int):
        self.file, self.left = file, size

    def read(self, size: int = -1, /) -> bytes:
        piece = self.file.read(self.left if size < 0 else min(size, self.left))
        self.left -= len(piece)
        return piece


def _inside(folder: Path, name: str) -> Path:
    """Return where a member goes; refuse every name that could lead out of the folder."""
    parts = PurePosixPath(name).parts
    odd = not parts or name.startswith("/") or ".." in parts or not name.isprintable()
    if odd or any(sign in name for sign in ("\\", ":")):
        raise IntegrityError(f"the archive's file {name[:LONGEST]!r} would leave its folder")
    if len(parts) > DEEPEST or len(name) > LONGEST:
        raise IntegrityError(f"the archive's file {name[:LONGEST]!r} has too long a name")
    return folder.joinpath(*parts)


def _created(target: Path) -> IO[bytes]:
    """Return a new file, its folders made; a name that cannot be one is the archive's fault."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return target.open("xb")
    except OSError as error:
        if error.errno in FULL:
            raise
        raise IntegrityError(f"{target.name!r} cannot be a file here: {error.strerror}") from error


def _refuse_taken(archive: Path, folder: Path, out: Path, taken: Iterable[str]) -> None:
    there = {name.casefold() for name in (*taken, *(path.name for path in folder.iterdir()))}
    if clash := sorted(path.name for path in out.iterdir() if path.name.casefold() in there):
        raise IntegrityError(f"{archive.name} would overwrite {clash[0]!r}")
