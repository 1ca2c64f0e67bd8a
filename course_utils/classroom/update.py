"""Bring a newer hand-out into a student's folder: a backup first, her work always kept."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from course_utils.classroom.bases import (
    BACKUPS,
    Base,
    base_of_work,
    former_names,
    known_handouts,
    marked,
)
from course_utils.classroom.cells import NoNotebook, names, read_cells
from course_utils.classroom.handout import MANIFEST, read_hashes, read_manifest
from course_utils.classroom.merge import merged
from course_utils.classroom.student_copy import as_file
from course_utils.files import write_whole
from course_utils.own_files import NOTE, adopt, ours, publish

LECTURES = "notebooks"
MOST = 200_000_000  # bytes of a hand-out
Files = Mapping[str, bytes]


class Lecture(NamedTuple):
    """A lecture of the newer hand-out, and what it was in those before."""

    name: str
    content: bytes
    new: Base
    bases: Sequence[Base]


@dataclass
class Update:
    """What an update does, or would do."""

    notebooks: dict[str, bytes] = field(default_factory=dict)  # what to write
    renamed: list[str] = field(default_factory=list)  # whose content has another name now
    others: dict[str, bytes] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)  # what to tell

    def __str__(self) -> str:
        return "\n".join(self.lines or ["nothing is new"])


def update(folder: Path, newer: Path, dry_run: bool = False) -> Update:
    """Update a folder from a newer hand-out; return what was done."""
    files = read_handout(newer)
    found = _planned(folder, files)
    if dry_run:
        return found
    for name in (*found.notebooks, *found.renamed):
        _back_up(folder, folder / name)
    for name, content in found.notebooks.items():
        write_whole(folder / name, content)
    for name in found.renamed:
        (folder / name).unlink()
    manifest = folder / MANIFEST
    if found.others:
        adopt(folder, _given(manifest))
        publish(folder, found.others)
    if not manifest.is_file() or manifest.read_bytes() != files[MANIFEST]:
        _back_up(folder, manifest)
        write_whole(manifest, files[MANIFEST])  # last: a run that is killed before starts over
    return found


def read_handout(place: Path) -> dict[str, bytes]:
    """Return the files of a hand-out, from a folder or a zip."""
    files = _in_zip(place) if zipfile.is_zipfile(place) else _in_folder(place)
    homes = [PurePosixPath(name).parent for name in files if PurePosixPath(name).name == MANIFEST]
    if not homes:
        raise FileNotFoundError(f"there is no {MANIFEST} in {place}: name the newer hand-out")
    home = min(homes, key=lambda path: len(path.parts))
    inside = {PurePosixPath(name): content for name, content in files.items()}
    return {
        path.relative_to(home).as_posix(): content
        for path, content in inside.items()
        if path.is_relative_to(home) and not any(p.startswith(".") for p in path.parts)
    }


def _planned(folder: Path, files: Files) -> Update:
    found = Update()
    manifest = folder / MANIFEST
    handouts, newest = known_handouts(folder), read_manifest(files[MANIFEST])
    if not handouts:
        found.lines.append(f"there is no {MANIFEST} here, so every changed cell counts as yours")
    mine, others = ours(folder), 0
    if not (folder / NOTE).is_file():  # lost when the folder was packed or copied
        mine = {n: d for n, d in _given(manifest).items() if _is_still(folder / n, d)}
    for name, content in sorted(files.items()):
        path = folder / name
        if PurePosixPath(name).parent.as_posix() == LECTURES and path.suffix == ".ipynb":
            new = newest.get(path.name, {})
            former = [*former_names(path.name, new, handouts, newest)]
            lecture = Lecture(name, content, new, [base for _, base in former])
            places = [path, *(path.with_name(old) for old, _ in reversed(former))]
            work = next((place for place in places if place.exists()), path)
            _plan_notebook(found, lecture, work, name)
            for copy in _copies(path.parent, lecture, files):
                if copy != work:
                    _plan_notebook(found, lecture, copy, f"{LECTURES}/{copy.name}")
        elif name == MANIFEST or (path.is_file() and path.read_bytes() == content):
            continue
        elif path.exists() and name not in mine:
            found.lines.append(f"{name}: changed here, stays as it is")
        else:
            found.others[name] = content
            others += 1
    for old in sorted(set(handouts[-1] if handouts else ()) - set(newest)):
        if (folder / LECTURES / old).exists() and f"{LECTURES}/{old}" not in found.renamed:
            found.lines.append(f"{LECTURES}/{old}: not in the course any more, stays as it is")
    if others:
        found.lines.append(f"other files brought up to date: {others}")
    return found


def _given(manifest: Path) -> dict[str, str]:
    """Return the hashes of what was handed out."""
    return read_hashes(manifest.read_bytes()) if manifest.is_file() else {}


def _is_still(path: Path, digest: str) -> bool:
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == digest


def _copies(folder: Path, lecture: Lecture, files: Files) -> Iterator[Path]:
    """Yield notebooks that she saved from this lecture under a name of her own."""
    for path in sorted(folder.glob("*.ipynb")):
        if f"{LECTURES}/{path.name}" in files:
            continue
        try:
            notebook, cells = read_cells(path.read_bytes())
        except NoNotebook:
            continue  # her own affair: it was never ours
        base = base_of_work(notebook, lecture.bases, lecture.new)
        if base and sum(map(bool, names(cells, base))) > len(base) / 2:
            yield path


def _plan_notebook(found: Update, lecture: Lecture, work: Path, name: str) -> None:
    """Plan what becomes of one notebook of hers; its name changes where the lecture's did."""
    if not work.exists():
        found.notebooks[name] = lecture.content
        found.lines.append(f"{name}: new")
        return
    old = f"{LECTURES}/{work.name}"
    try:
        mine, _ = read_cells(work.read_bytes())
        base = base_of_work(mine, lecture.bases, lecture.new)
        result, plan = merged(base, mine, read_cells(lecture.content)[0])
        written = as_file(marked(result, lecture.new))
    except (NoNotebook, RecursionError) as error:
        found.lines.append(f"{old}: left alone, {error}")
        if old != name:
            found.notebooks[name] = lecture.content
            found.lines.append(f"{name}: new")
        return
    if old != name:
        found.renamed.append(old)
        found.lines.append(f"{old}: called {name} now, with your work in it")
    if result != mine or old != name:
        found.notebooks[name] = written
        found.lines.append(f"{name}: {plan}")


def _back_up(folder: Path, path: Path) -> None:
    """Keep a file as it is, under its hash: a second time the same file is there already."""
    if path.is_file():
        content = path.read_bytes()
        name = f"{path.stem}.{hashlib.sha256(content).hexdigest()[:12]}{path.suffix}"
        if not (folder / BACKUPS / name).is_file():
            write_whole(folder / BACKUPS / name, content)


def _in_folder(folder: Path) -> dict[str, bytes]:
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder} is neither a folder nor a zip")
    paths = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    kept = [path for path in paths if "__pycache__" not in path.parts and path.name != NOTE]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in kept}


def _in_zip(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as opened:
        entries = [entry for entry in opened.infolist() if not entry.is_dir()]
        names = [PurePosixPath(entry.filename.replace("\\", "/")) for entry in entries]
        if sum(entry.file_size for entry in entries) > MOST or any(
            name.is_absolute() or ".." in name.parts for name in names
        ):
            raise ValueError(f"{archive} is no hand-out")
        return {
            name.as_posix(): opened.read(entry) for name, entry in zip(names, entries, strict=True)
        }
