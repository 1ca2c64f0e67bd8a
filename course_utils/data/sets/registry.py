"""Fetch a named set into the cache, or add it from a file: verified first, all or nothing."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from course_utils.data.sets.cache import (
    NoPlaceError,
    cache_folder,
    is_offline,
    one_at_a_time,
    own_folder,
    saying_when_full,
)
from course_utils.data.sets.catalogue import Entry, entry
from course_utils.data.sets.connection import DownloadError
from course_utils.data.sets.digests import IntegrityError, RemoteFile, is_published, sha256_of
from course_utils.data.sets.download import Patience, download
from course_utils.data.sets.unpack import unpack
from course_utils.files import write_whole
from course_utils.own_files import NotOurs, foreign, take_away

MANIFEST = "MANIFEST.json"  # the sha256 of every file, as it was when it was verified
LARGEST_GIVEN = 1 << 32


class OfflineError(DownloadError):
    """The set is not here and the network may not be used."""


def fetch(name: str | Entry, patience: Patience | None = None) -> Path:
    """Return the folder of a set, every file verified now; download what is missing."""
    wanted = name if isinstance(name, Entry) else entry(name)
    with one_at_a_time(wanted.name), saying_when_full():
        folder = cache_folder() / wanted.name
        if not problems(wanted):
            return folder
        _refuse_others(folder)
        _refuse_if_impossible(wanted)
        staging = _staging(wanted)
        for file in wanted.files:
            if not (staging / file.name).exists():
                partial = staging / f"{file.name}.partial"
                download(file, partial, patience)
                os.replace(partial, staging / file.name)
        _publish(wanted, staging)
        return folder


def load(name: str | Entry) -> Any:
    """Return the content of a set, as its parser in `parsers` gives it; fetch it if need be."""
    wanted = name if isinstance(name, Entry) else entry(name)
    return wanted.parse(fetch(wanted))


def add(name: str | Entry, paths: Iterable[str | Path]) -> list[str]:
    """Add files that the user already has (gzipped or not); return the names still missing.

    A file is recognised by its hash, whatever it is called. Only where none is published must its
    name be the public one; its hash is then remembered.
    """
    wanted = name if isinstance(name, Entry) else entry(name)
    with one_at_a_time(wanted.name), saying_when_full():
        _refuse_others(cache_folder() / wanted.name)
        staging = _staging(wanted)
        for path in paths:
            _stage(wanted, Path(path).expanduser(), staging)
        missing = [file.name for file in wanted.files if not (staging / file.name).exists()]
        if not missing:
            _publish(wanted, staging)
    return missing


def problems(name: str | Entry) -> list[str]:
    """Return what is wrong with a set in the cache: an empty list says that every byte is right."""
    wanted = name if isinstance(name, Entry) else entry(name)
    try:
        folder = cache_folder() / wanted.name
    except NoPlaceError as error:
        return [str(error)]
    manifest = _manifest(folder)
    if manifest is None:
        return [f"{wanted.name} is not in the cache"]
    found = []
    for file in wanted.files:
        path = folder / file.name
        if file.is_known and not (path.is_file() and is_published(path, file)):
            found.append(f"{file.name} is not the published file")
        elif file.name not in manifest:
            found.append(f"{file.name} was not noted when it came")
    for noted, digest in manifest.items():
        if not (folder / noted).is_file():
            found.append(f"{noted} is missing")
        elif sha256_of(folder / noted) != digest:
            found.append(f"{noted} was changed")
    return found


def remove(name: str | Entry) -> bool:
    """Delete a set and the remains of its downloads; return whether there was anything."""
    wanted = name if isinstance(name, Entry) else entry(name)
    with one_at_a_time(wanted.name):
        folder, staging = cache_folder() / wanted.name, _staging(wanted)
        _refuse_others(folder)
        there = (folder / MANIFEST).exists() or any(staging.iterdir())
        take_away(folder, MANIFEST, changed=True)
        shutil.rmtree(staging)
    return there


def _manifest(folder: Path) -> dict[str, str] | None:
    """Return the recorded hashes, or None if there is no readable record."""
    try:
        noted = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    whole = isinstance(noted, dict) and all(isinstance(digest, str) for digest in noted.values())
    return noted if whole else None


def _staging(wanted: Entry) -> Path:
    """Return the folder where a set is assembled before anybody can see it."""
    folder = own_folder() / "incoming" / wanted.name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _refuse_others(folder: Path) -> None:
    """Refuse a folder that holds anything that is not part of the set: it would be deleted."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        found = f"{folder} is a link or a file"
    elif others := foreign(folder, MANIFEST, changed=True):
        found = f"{folder} holds {others[0]}"
    else:
        return
    raise NotOurs(
        f"{found}, which the course did not put there, and nothing was changed: move it away, or "
        "set COURSE_DATA to another folder"
    )


def _refuse_if_impossible(wanted: Entry) -> None:
    add_instead = f"bring its files yourself: course data add {wanted.name} FILE ..."
    if is_offline():
        raise OfflineError(
            f"{wanted.name} is not complete in the cache, and COURSE_OFFLINE forbids the network: "
            f"unset it, or {add_instead}"
        )
    if unknown := [file.url for file in wanted.files if not file.is_known]:
        raise IntegrityError(
            f"{wanted.name} has no published hash, so a download could not be verified. Get\n  "
            + "\n  ".join(unknown)
            + f"\nfrom a source that you trust, and {add_instead}"
        )
    free = shutil.disk_usage(_staging(wanted)).free
    if wanted.size and free < 2 * wanted.size:
        raise DownloadError(
            f"{wanted.name} needs {2 * wanted.size:,} bytes in {cache_folder()}, {free:,} are "
            "free: make room, or set COURSE_DATA to a folder on another disk"
        )


def _stage(wanted: Entry, path: Path, staging: Path) -> None:
    """Copy a user's file to where the set is assembled, if it belongs to the set."""
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    copy = staging / "given.partial"
    sizes = [file.size for file in wanted.files if file.size is not None]
    most = LARGEST_GIVEN if wanted.size is None else max(sizes)
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rb") as source, copy.open("wb") as out:
            for piece in iter(lambda: source.read(1 << 20), b""):
                out.write(piece)
                if out.tell() > most:
                    raise IntegrityError(
                        f"{path} is not a file of {wanted.name}: it holds more than {most:,} bytes"
                    )
        match = _recognised(wanted, copy, path.name.removesuffix(".gz"))
        os.replace(copy, staging / match.name)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise IntegrityError(f"{path} is damaged: {error}") from error
    finally:
        copy.unlink(missing_ok=True)


def _recognised(wanted: Entry, copy: Path, name: str) -> RemoteFile:
    by_name = sorted(wanted.files, key=lambda file: file.name != name)  # where two are equal
    for file in by_name:
        if is_published(copy, file) or (not file.is_known and file.name == name):
            return file
    expected = "\n".join(f"  {f.name}  sha256 {f.sha256 or 'unpublished'}" for f in wanted.files)
    raise IntegrityError(
        f"{name} (sha256 {sha256_of(copy)}) is not a file of {wanted.name}, which has\n{expected}"
    )


def _publish(wanted: Entry, staging: Path) -> None:
    """Unpack, record every hash, and move the whole set into place with one rename.

    Until then the set's old files stay where they are, so that a full disk loses none of them.
    """
    for path in staging.iterdir():  # of an earlier try, and half a file
        if path.name not in {file.name for file in wanted.files}:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for file in wanted.files:
        if file.is_known and not is_published(staging / file.name, file):
            (staging / file.name).unlink()
            raise IntegrityError(f"{file.name} changed on this disk after it had been verified")
    if wanted.archives:
        for file in wanted.files:
            unpack(staging / file.name, staging, taken=(MANIFEST,))
    hashes = {path.relative_to(staging).as_posix(): sha256_of(path)
              for path in sorted(staging.rglob("*")) if path.is_file()}  # fmt: skip
    write_whole(staging / MANIFEST, json.dumps(hashes, indent=1).encode())
    folder = cache_folder() / wanted.name
    _refuse_others(folder)
    take_away(folder, MANIFEST, changed=True)
    os.replace(staging, folder)
