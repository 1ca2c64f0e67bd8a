"""Know what a notebook was before its student wrote into it: of several hand-outs, which one.

A folder remembers each hand-out that it was brought up to: the last in its manifest, those before
in `backups/`. A tab that was left open saves an older lecture over a newer one; a lecture gets
another name. So a notebook is asked itself: by the mark of the update that wrote it, or its text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from course_utils.classroom.cells import Cell, digest_of
from course_utils.classroom.handout import MANIFEST, read_manifest

BACKUPS = "backups"
MARK = "course_handout"  # in the metadata of a notebook that an update has written
Base = Mapping[str, str]  # the hash of every cell by its id, as it was handed out
Handout = Mapping[str, Base]  # by the lecture's file name


def known_handouts(folder: Path) -> list[dict[str, dict[str, str]]]:
    """Return every hand-out that a folder was brought up to, the oldest first."""
    kept = (folder / BACKUPS).glob(f"{Path(MANIFEST).stem}.*.json")
    manifest = folder / MANIFEST
    older = [found for path in sorted(kept, key=_age) if (found := _read(path))]
    return [*older, read_manifest(manifest.read_bytes())] if manifest.is_file() else older


def former_names(
    name: str, new: Base, handouts: Iterable[Handout], still: Collection[str]
) -> Iterator[tuple[str, Base]]:
    """Yield what a lecture was called in each hand-out, and what it was there.

    One that is there no more and shares most of its cells with a new one has another name now.
    """
    for lectures in handouts:
        if name in lectures:
            yield name, lectures[name]
            continue
        shared = {
            other: len(new.keys() & base.keys()) / len(base)
            for other, base in lectures.items()
            if other not in still and base
        }
        if shared and max(shared.values()) > 1 / 2:
            other = max(shared, key=lambda one: shared[one])
            yield other, lectures[other]


def base_of_work(notebook: Mapping[str, Any], bases: Sequence[Base], new: Base) -> Base:
    """Return what a notebook was handed out as: of what fits alike, the oldest."""
    metadata = notebook.get("metadata")
    said = metadata.get(MARK) if isinstance(metadata, dict) else None
    by_mark = {mark_of(base): base for base in (*bases, new)}
    if isinstance(said, str) and said in by_mark:
        return by_mark[said]
    return max(bases, key=lambda base: _unchanged(notebook["cells"], base), default={})


def marked(notebook: Mapping[str, object], new: Base) -> dict[str, object]:
    """Return a notebook that says which hand-out it was brought up to."""
    metadata = notebook.get("metadata", {})
    if not isinstance(metadata, dict):
        return dict(notebook)
    return {**notebook, "metadata": {**metadata, MARK: mark_of(new)}}


def mark_of(base: Base) -> str:
    """Return a short hash of a lecture as it was handed out."""
    return hashlib.sha256(json.dumps(list(base.items())).encode()).hexdigest()[:20]


def _unchanged(cells: Iterable[Cell], base: Base) -> int:
    hashes = set(base.values())
    return sum(digest_of(cell) in hashes for cell in cells)


def _age(path: Path) -> tuple[int, str]:
    return path.stat().st_mtime_ns, path.name


def _read(manifest: Path) -> dict[str, dict[str, str]]:
    try:
        return read_manifest(manifest.read_bytes())
    except ValueError:
        return {}  # what an update cannot read, it does without
