"""Lock a process up: how much it may take, what it may read, which calls it may make."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import course_utils
from course_utils.checks import exercises
from course_utils.classroom.locks.landlock import READ_FILE, beneath, read_only
from course_utils.classroom.locks.seccomp import refuse_calls

PACKAGE = Path(course_utils.__file__).resolve().parent
REFERENCES = Path(exercises.__file__ or "").resolve().parent
SYSTEM = ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/dev/null",
          "/dev/urandom", "/dev/random", "/dev/zero")  # fmt: skip
MORE_MEMORY = 2 << 30  # bytes beyond what PyTorch takes
OPEN_FILES = 64
AFTER = 1  # seconds of processor time that a stopped answer has to say where it was


class Allowance(NamedTuple):
    """How much an answer may take."""

    seconds: int = 5  # of processor time
    wall: float = 20.0  # seconds after which it is ended, if it slept through them
    letters: int = 8_000_000  # that may come back


def readable(hidden: Sequence[Path] = ()) -> list[tuple[Path, int]]:
    """Return what a judged process may read: Python, the packages, not one reference.

    What is `hidden` cannot be read even if it lies among these: a course below /usr, say.
    """
    roots = {*map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib"))}
    roots |= {
        *site.getsitepackages(),
        site.getusersitepackages(),
        sys.prefix,
        sys.base_prefix,
        str(PACKAGE),
        *SYSTEM,
    }
    places = {Path(root).resolve() for root in roots}
    copies = {root / REFERENCES.relative_to(PACKAGE.parent) for root in places}  # installed, too
    kept = [path for path in (REFERENCES, *copies, *map(Path.resolve, hidden)) if path.exists()]
    found: list[tuple[Path, int]] = []
    for root in sorted(places):
        if root != Path(root.anchor):
            found += beneath(root, kept)
    return [*found, (Path("/dev/null"), READ_FILE | 1 << 1)]  # may be written to


def lock_up(allowed: Allowance, places: Sequence[tuple[Path, int]]) -> None:
    """Take from this process what an answer does not need, for good.

    What this system cannot lock stays open: `held` tells what did hold.
    """
    _limit(allowed)
    read_only(places)
    refuse_calls()


def _limit(allowed: Allowance) -> None:
    import resource  # not on Windows, where nothing is judged

    pages = Path("/proc/self/statm")
    used = int(pages.read_text().split()[0]) * resource.getpagesize() if pages.exists() else 0
    wanted = {
        resource.RLIMIT_CPU: (allowed.seconds, allowed.seconds + AFTER),
        resource.RLIMIT_AS: (used + MORE_MEMORY, used + MORE_MEMORY),
        resource.RLIMIT_FSIZE: (0, 0),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_NOFILE: (OPEN_FILES, OPEN_FILES),
    }
    if sys.platform != "linux":  # elsewhere no filter refuses a new process
        wanted[resource.RLIMIT_NPROC] = (0, 0)
        del wanted[resource.RLIMIT_AS]  # how much is used cannot be asked without psutil
    for what, (soft, hard) in wanted.items():
        _, most = resource.getrlimit(what)
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        resource.setrlimit(what, (soft, hard))
    os.nice(5)
