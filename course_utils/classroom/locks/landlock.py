"""Let a process read what Python and PyTorch need, and open nothing else (Landlock, Linux 5.13).

Landlock allows whole folders only. What is hidden inside an allowed one is left out by allowing
its neighbours one by one; the folder itself can then be listed, not read.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

CREATE, ADD, RESTRICT = 444, 445, 446  # system calls, the same on every architecture
ASK_VERSION, BENEATH, PR_SET_NO_NEW_PRIVS = 1, 1, 38
READ_FILE, READ_DIR = 1 << 2, 1 << 3
RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}  # version: how many rights over files it knows
NETWORK, SIGNALS_AND_SOCKETS = 0b11, 0b11  # from versions 4 and 6


def version() -> int:
    """Return the kernel's version of Landlock, 0 where there is none."""
    if sys.platform != "linux":
        return 0
    found = ctypes.CDLL(None, use_errno=True).syscall(CREATE, None, 0, ASK_VERSION)
    return max(0, int(found))


def read_only(places: Sequence[tuple[Path, int]]) -> bool:
    """Allow these rights beneath these places and nothing else; return whether that holds."""
    known = version()
    if not known:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    files = (1 << RIGHTS[max(v for v in RIGHTS if v <= known)]) - 1
    handled = [
        files,
        *([NETWORK] if known >= 4 else []),
        *([SIGNALS_AND_SOCKETS] if known >= 6 else []),
    ]
    told = struct.pack(f"={len(handled)}Q", *handled)
    rules = libc.syscall(CREATE, ctypes.create_string_buffer(told), len(told), 0)
    if rules < 0:
        return False
    try:
        for place, rights in places:
            _allow(libc, rules, place, rights)
        refused = libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.syscall(RESTRICT, rules, 0)
    finally:
        os.close(rules)
    return not refused


def _allow(libc: ctypes.CDLL, rules: int, place: Path, rights: int) -> None:
    try:
        opened = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # what is not there needs no right
    try:
        if not place.is_dir():
            rights &= ~READ_DIR
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, opened))
        libc.syscall(ADD, rules, BENEATH, rule, 0)
    finally:
        os.close(opened)


def beneath(root: Path, hidden: Iterable[Path]) -> list[tuple[Path, int]]:
    """Return what to allow so that a folder can be read, but for what is hidden in it."""
    within = [path for path in hidden if path == root or root in path.parents]
    if not within:
        return [(root, READ_FILE | READ_DIR)]
    if root in within or not root.is_dir():
        return []
    # a link would open what it leads to, hidden or not; what it leads to is allowed by itself
    places = [(root, READ_DIR)]
    for inner in sorted(path for path in root.iterdir() if not path.is_symlink()):
        places += beneath(inner, within)
    return places
