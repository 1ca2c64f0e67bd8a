"""Know what we wrote into a folder, so that nothing else is ever replaced or deleted.

The folder holds a note: the names of our files and their sha256. A file is ours as long as its hash
is the one in the note; once somebody changes it, it is theirs, and so are links and folders.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path, PurePosixPath

from course_utils.files import only_writer, replacing, sweep_partials, write_whole

NOTE = ".course-files.json"
Content = bytes | Callable[[Path], None]  # the bytes, or what writes them to a path
SHA256 = re.compile("[0-9a-f]{64}")


class NotOurs(FileExistsError):
    """Somebody else's file is in the way; the message names it and says what to do."""


def ours(folder: Path, note: str = NOTE, changed: bool = False) -> dict[str, str]:
    """Return the files that we wrote and that nobody has changed since, and their hashes.

    With `changed`, files that were changed count as ours too: use it where a change can only be
    damage, never somebody's work.
    """
    notes = _notes(folder, note).values()
    names = {name for noted in notes for name in noted}
    found = {name: _sha256(folder, name) for name in sorted(names)}
    return {
        name: digest
        for name, digest in found.items()
        if digest and (changed or digest in [noted.get(name) for noted in notes])
    }


def foreign(folder: Path, note: str = NOTE, changed: bool = False) -> list[str]:
    """Return what else is in a folder; a subfolder without files of ours is listed by its name."""
    known = {*ours(folder, note, changed), *_notes(folder, note), _lock(note)}
    filled = {parent.as_posix() for name in known for parent in PurePosixPath(name).parents}
    found = set()
    for root, folders, files in os.walk(folder):
        place = {name: Path(root, name).relative_to(folder).as_posix() for name in folders + files}
        found |= {place[name] for name in files} | {place[f] for f in folders} - filled
        folders[:] = [name for name in folders if place[name] in filled]
    return sorted(found - known)


def refuse_foreign(folder: Path, names: Iterable[str], note: str = NOTE) -> None:
    """Raise NotOurs where one of the names is taken by what we did not write."""
    names = list(names)
    if os.path.lexists(folder) and not folder.is_dir():
        raise NotOurs(f"{folder} is not a folder: choose another place")
    own = {*ours(folder, note), *_notes(folder, note)}
    ways = {folder / part for name in names for part in list(PurePosixPath(name).parents)[:-1]}
    if blocked := sorted(way for way in ways if os.path.lexists(way) and not _is_own_folder(way)):
        raise NotOurs(
            f"{blocked[0]} is not a folder, or is a link: move it away, or choose another place"
        )
    taken = [name for name in names if name not in own and os.path.lexists(folder / name)]
    if taken:
        more = f" (and {len(taken) - 1} more)" if len(taken) > 1 else ""
        raise NotOurs(
            f"{folder / taken[0]}{more} was not written by this command, or was changed since, and "
            "stays as it is: move it away, or choose another folder"
        )


def publish(
    folder: Path, files: Mapping[str, Content], alone: bool = False, tidy: bool = False
) -> list[Path]:
    """Write files into a folder, all or none; replace what is ours, refuse what is not.

    A name may lie in folders of its own, such as "feedback/a.html", but never in a linked one. A
    file that already has the wanted bytes is no obstacle. With `tidy`, files that we wrote before
    and that are no longer wanted are deleted. With `alone` too, and the folder may hold nothing
    else but hidden files: systems and editors leave them anywhere.
    """
    _refuse(folder, files, alone)
    with only_writer(folder / _lock(NOTE), patient=True):  # makes the folder too
        _refuse(folder, files, alone)
        before = ours(folder)
        if before and _next(NOTE) in _notes(folder, NOTE):  # a run was stopped: merge its two notes
            write_whole(folder / NOTE, _as_note(before))
        for place in {folder / name for name in (NOTE, _next(NOTE), *before, *files)}:
            sweep_partials(place.parent, "*" if alone else f"{glob.escape(place.name)}.*")
        with ExitStack() as renaming:
            after = {} if alone or tidy else dict(before)
            for name, content in files.items():
                partial = renaming.enter_context(replacing(folder / name))
                partial.write_bytes(content) if isinstance(content, bytes) else content(partial)
                after[name] = _digest(partial)
            # before the first file gets its name: wherever we are stopped, a note lists it
            write_whole(folder / _next(NOTE), _as_note(after))
        stale = before.keys() - after.keys()
        for name in stale:
            (folder / name).unlink()
        _leave_emptied(folder, stale)
        os.replace(folder / _next(NOTE), folder / NOTE)
    return [folder / name for name in files]


def adopt(folder: Path, hashes: Mapping[str, str], note: str = NOTE) -> None:
    """Note files that we gave to somebody whose copy of the folder has lost its note.

    Only those count that are still as they were given.
    """
    if not _notes(folder, note):
        kept = {name: digest for name, digest in hashes.items() if _sha256(folder, name) == digest}
        write_whole(folder / note, _as_note(kept))


def take_away(folder: Path, note: str = NOTE, changed: bool = False) -> bool:
    """Delete our files and the folders that only they filled; return whether nothing is left."""
    names, notes = list(ours(folder, note, changed)), list(_notes(folder, note))
    for name in (*names, *notes):
        (folder / name).unlink()
    _leave_emptied(folder, names)
    return not folder.exists()


def _leave_emptied(folder: Path, names: Iterable[str]) -> None:
    """Delete the folders that only these deleted files filled."""
    emptied = {parent for name in names for parent in PurePosixPath(name).parents}
    for parent in sorted(emptied, key=lambda path: len(path.parts), reverse=True):
        with suppress(OSError):  # somebody else's files are in it
            (folder / parent).rmdir()


def _refuse(folder: Path, files: Mapping[str, Content], alone: bool) -> None:
    same = {name for name, content in files.items() if _is_there(folder, name, content)}
    others = [name for name in foreign(folder) if not _is_hidden(name)] if alone else []
    refuse_foreign(folder, [NOTE, _next(NOTE), *sorted({*files, *others} - same)])


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in PurePosixPath(name).parts)


def _is_own_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _is_there(folder: Path, name: str, content: Content) -> bool:
    """Return whether a file already has the wanted bytes, as far as they are known."""
    wanted = isinstance(content, bytes) and hashlib.sha256(content).hexdigest()
    return bool(wanted) and _sha256(folder, name) == wanted


def _as_note(hashes: Mapping[str, str]) -> bytes:
    return (json.dumps(hashes, indent=1) + "\n").encode()


def _notes(folder: Path, note: str) -> dict[str, dict[str, str]]:
    """Return the readable notes: this one, and the next one if a run was stopped."""
    found = {name: _read(folder / name) for name in (note, _next(note))}
    return {name: noted for name, noted in found.items() if noted}


def _read(note: Path) -> dict[str, str]:
    try:
        noted = json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}  # not there, or not written by us
    is_note = isinstance(noted, dict) and not note.is_symlink()
    hashes = (
        all(isinstance(d, str) and SHA256.fullmatch(d) for d in noted.values()) if is_note else 0
    )
    return noted if hashes else {}


def _next(note: str) -> str:
    return f"{note}.next"


def _lock(note: str) -> str:
    return f"{note}.lock"


def _sha256(folder: Path, name: str) -> str | None:
    """Return the hash of a file below a folder; None for links and for paths that leave it."""
    home = folder.resolve()
    path = home / name
    if PurePosixPath(name).is_absolute() or path.resolve() != path or not path.is_file():
        return None
    return _digest(path)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
