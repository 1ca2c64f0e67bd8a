"""Unpack a zip archive without letting it write anywhere else, or more than it should."""

from __future__ import annotations

import errno
import shutil
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from course_utils.data.sets.digests import IntegrityError
from course_utils.files import FULL

MOST_BYTES = 1 << 30
MOST_FILES = 10_000  # and folders
DEEPEST, LONGEST = 20, 200  # folders in each other, and characters of a name
PIECE = 1 << 20
DAMAGE = (  # what zipfile raises when it is given nonsense
    zipfile.BadZipFile,
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
    """Put the files of a zip archive into a folder; return where they are.

    Only plain files with plain names: no links, no devices, no way out of the folder, no duplicate
    names, none that exists already or is `taken`. The limits apply to what really comes out,
    whatever the archive claims; a damaged archive leaves nothing behind.
    """
    scratch = folder / ".unpacking"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    try:
        written = _unpack(archive, scratch, most_bytes, most_files)
        _refuse_taken(archive, folder, scratch, taken)
        for path in sorted(scratch.iterdir()):
            path.rename(folder / path.name)
        return [folder / path.relative_to(scratch) for path in written]
    except IntegrityError:
        raise
    except DAMAGE as error:
        raise IntegrityError(f"{archive.name} is damaged: {str(error)[:200]!r}") from error
    except OSError as error:
        if error.errno != errno.EINVAL:  # a place before the file's start, asked for by a header
            raise
        raise IntegrityError(f"{archive.name} is damaged: {error.strerror}") from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _unpack(archive: Path, out: Path, most_bytes: int, most_files: int) -> list[Path]:
    written: dict[str, Path] = {}
    left = most_bytes
    for number, (name, size, source) in enumerate(_members(archive)):
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


def _members(archive: Path) -> Iterator[tuple[str, int, IO[bytes] | None]]:
    """Yield each file's name, size and content, None for a folder; raise for anything else."""
    if not zipfile.is_zipfile(archive):
        raise IntegrityError(f"{archive.name} is not a zip archive")
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
