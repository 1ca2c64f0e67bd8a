"""Check whether a file is, byte for byte, the published one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path


class IntegrityError(ValueError):
    """A file is not the published one, and was not kept."""


@dataclass(frozen=True)
class RemoteFile:
    """A public file: its URL and its hash; `git_blob` is used where only git's id is public."""

    name: str
    url: str
    size: int | None = None
    sha256: str | None = None
    git_blob: str | None = None

    @property
    def is_known(self) -> bool:
        """Return whether a published hash says what this file must be."""
        return bool(self.sha256 or self.git_blob)

    @property
    def weakness(self) -> str:
        """Return what is weak about how this file is known; empty for a sha256."""
        if self.sha256:
            return ""
        return "known by git's SHA-1 only" if self.git_blob else "no published hash"


def sha256_of(path: Path) -> str:
    """Return a file's sha256."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def git_blob_of(path: Path) -> str:
    """Return the id that git gives a file: a SHA-1 of its size and content."""
    digest = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def is_published(path: Path, file: RemoteFile) -> bool:
    """Return whether the file at `path` has the published size and hash."""
    if file.size is not None and path.stat().st_size != file.size:
        return False
    if file.sha256:
        return sha256_of(path) == file.sha256
    return bool(file.git_blob) and git_blob_of(path) == file.git_blob
