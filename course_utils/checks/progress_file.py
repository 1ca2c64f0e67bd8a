"""The file that keeps progress: where it is, what may be read of it, and how it is added to.

What it holds is never lost: lectures write it one at a time, unreadable text is first put
aside, and what a newer version wrote, or anything but a plain file, is left alone and reported.
"""

from __future__ import annotations

import errno
import filecmp
import glob
import itertools
import json
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from course_utils.checks.find_exercise import places
from course_utils.checks.judging.wording import printable
from course_utils.files import HeldByAnother, only_writer, replacing, sweep_partials, write_whole

VERSION = 2
SOLVED, HANDED_IN = "solved", "handed in"  # what an instructor judges is only handed in
LARGEST = 1 << 20  # bytes: all exercises of the course take 4,000
PATIENCE = 10.0  # seconds that another lecture has for its line
NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP)  # a disk on which nothing can be locked
ELSEWHERE = "name another file in COURSE_PROGRESS, or set that to off"
# What numbers of version 1 meant, where they mean something else now. The first four of lecture 01
# had two meanings: they count as unsolved.
BEFORE = {
    **dict.fromkeys(("1.1", "1.2", "1.3", "1.4"), ""),
    "2.4": "lag_of_silence",
    "2.5": "clip",
    "2.6": "fate_of_six",
    "2.7": "repaired_bptt",
    "3.2": "direct_path_gradient",
    "3.3": "latch_by_hand",
    "3.4": "matched_control",
    "3.5": "name_the_loops",
    "3.6": "bias_for_half_life",
    "4.2": "to_keeping",
    "4.3": "count_parameters",
    "4.4": "time_constant",
}


class NotKept(Exception):
    """Why there is no progress to show or to add to, in half a line for the reader."""

    def __init__(self, why: str):
        super().__init__(printable(f"progress is not kept: {why}"))


class Damaged(NotKept):
    """The file is ours to write, but what it holds cannot be read."""


def progress_file() -> Path | None:
    """Return where progress is kept, None where it is not.

    A relative path begins in the home folder, so that it is one file for lectures and terminal.
    """
    chosen = os.environ.get("COURSE_PROGRESS", "")
    if chosen.strip().lower() in ("off", os.devnull):
        return None
    try:
        if not chosen.strip():
            return user_data_path("recurrent-course") / "progress.json"
        place = Path(chosen).expanduser()
        return place if place.is_absolute() else Path.home() / place
    except RuntimeError as error:  # neither HOME nor an entry for this user
        raise NotKept(
            f"no home folder is known for {chosen or 'this user'}. Set COURSE_PROGRESS to a path "
            f"that begins with {os.sep}, or to off"
        ) from error


def kept_in(path: Path) -> dict[str, dict[str, str]]:
    """Return when each function was first right, or handed in, by its name."""
    try:
        content = _content(path)
        return {what: content.get(what, {}) for what in (SOLVED, HANDED_IN)}
    except OSError as error:
        raise _not_kept(error, path) from error


def add(path: Path, function: str, what: str) -> str:
    """Add a function that is right, or handed in, today; say what became of an unreadable file."""
    try:
        path = Path(os.path.realpath(path))
        _is_there(path)  # before a lock is put beside a device
        with _alone(path):
            return _add(path, function, what)
    except HeldByAnother as error:
        raise NotKept(f"{path} is held by {error}") from error
    except OSError as error:
        raise _not_kept(error, path) from error


def _add(path: Path, function: str, what: str) -> str:
    said = ""
    try:
        content = _content(path)
    except Damaged:
        said = f"{path} could not be read: what it held is kept in {_put_aside(path).name}"
        content = _nothing()
    kept = content.setdefault(what, {})
    if function not in kept:
        kept[function] = date.today().isoformat()
        if path.exists() and not os.access(path, os.W_OK):  # a rename would not ask
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        write_whole(path, json.dumps(content, indent=1).encode())
    return printable(said)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Let one process at a time change a file, and sweep what killed ones left half-written."""
    with ExitStack() as held:
        try:
            held.enter_context(only_writer(path.with_name(f".{path.name}.lock"), PATIENCE))
            sweep_partials(path.parent, f"{glob.escape(path.name)}.*")
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise
        yield


def _content(path: Path) -> dict[str, Any]:
    """Return all that the file holds, `solved` by functions; what is not there yet is empty."""
    raw = _raw(path) if _is_there(path) else b""
    if not raw.strip():
        return _nothing()
    try:
        found = json.loads(raw)  # in any encoding of Unicode: editors on Windows choose others
        solved, version = found["solved"], found.get("version", VERSION)
        if version not in (1, VERSION):
            raise NotKept(
                f"{path} is of version {version!r:.20}, which this course does not know and leaves "
                f"as it is. Update the course, {ELSEWHERE}"
            )
        if version == 1:
            solved = _of_version_1(solved)
        found["solved"] = solved
        for what in (SOLVED, HANDED_IN):
            if what in found:
                found[what] = {name: str(when) for name, when in found[what].items() if name}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Damaged(
            f"{path} cannot be read. Repair it, or carry on: it is put aside, not overwritten"
        ) from error
    return {**found, "version": VERSION}


def _nothing() -> dict[str, object]:
    return {"version": VERSION, "solved": {}}


def _is_there(path: Path) -> bool:
    """Return whether there is a file; refuse pipes, devices and folders."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(mode):
        raise NotKept(f"{path} is not a plain file. Use one, {ELSEWHERE}")
    return True


def _raw(path: Path) -> bytes:
    with path.open("rb") as file:
        raw = file.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise NotKept(f"{path} is too large to be a progress file. Use a new one, {ELSEWHERE}")
    return raw


def _of_version_1(solved: Mapping[str, object]) -> dict[str, object]:
    """Return by function what was kept by number."""
    now = {number: place.function for number, place in places().items()}
    return {(now | BEFORE).get(number, number): when for number, when in solved.items()}


def _put_aside(path: Path) -> Path:
    """Copy a file beside itself, to an unused name; once, however often it is asked."""
    for number in itertools.count(1):
        aside = path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")
        if not aside.exists():
            with replacing(aside) as partial:
                shutil.copy2(path, partial)
            break
        if filecmp.cmp(path, aside, shallow=False):
            break
    return aside


def _not_kept(error: OSError, path: Path) -> NotKept:
    return NotKept(f"{path}: {error.strerror or error}")
