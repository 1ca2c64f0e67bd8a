"""A warm process: PyTorch imported once, then one copy of it for every answer.

It never reads a job and never reads a result: it hands the files on to the copy, so no answer finds
in its memory what somebody else's left there.
"""

from __future__ import annotations

import ast
import ctypes
import gc
import importlib
import json
import math
import os
import select
import signal
import socket
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import torch

from course_utils.classroom.locks.limits import Allowance, lock_up, readable
from course_utils.classroom.runner.child import Told, answer_job, close_all_but

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LEAST = 0.1  # of the wall's time: who neither computes nor waits to compute that much sleeps
LATER = "torch._dynamo"  # of optimizers and torch.func, at first use: it wants a temporary folder
Places = list[tuple[Path, int]]


def main(file: int, parent: int) -> None:
    """Answer jobs that come over a socket until it closes."""
    channel = socket.socket(fileno=file)
    _end_with_the_parent(parent)
    torch.set_num_threads(1)
    told = json.loads(channel.recv(1 << 20))
    given = _given(told["imports"])
    importlib.import_module(LATER)
    places = readable([Path(path) for path in told["hidden"]])
    gc.freeze()  # what the copies share stays shared
    channel.send(b"ready")
    while True:
        said, files, *_ = socket.recv_fds(channel, 4096, 3)
        if not said:
            return
        channel.send(json.dumps(_one(json.loads(said), files, given, places)).encode())


def _given(imports: list[str]) -> dict[str, object]:
    """Return what the lecture's own imports give to every answer."""
    given: dict[str, object] = {}
    for line in imports:
        exec(compile(ast.parse(line), "<lecture>", "exec"), given)
    given.pop("__builtins__", None)
    return given


def _one(
    allowed: list[Any], files: list[int], given: dict[str, Any], places: Places
) -> dict[str, object]:
    """Run one job in a copy of this process; return how it ended."""
    child = os.fork()
    if child == 0:
        _be_the_copy(Allowance(*allowed), files, given, places)
    with suppress(OSError):
        os.setpgid(child, child)
    for file in files:
        os.close(file)
    slept = _outlasted(child, Allowance(*allowed).wall)
    with suppress(OSError):
        os.killpg(child, signal.SIGKILL)  # and what it started, where it could
    _, status = os.waitpid(child, 0)
    with suppress(ChildProcessError):
        while os.waitpid(-1, 0):  # what it left behind is ours now
            pass
    return {"code": os.waitstatus_to_exitcode(status), "slept": slept}


def _outlasted(child: int, seconds: float) -> bool:
    """Wait for a copy to end; return whether it sleeps.

    One that computes may stay until its processor time is used up: on a busy machine that is later.
    """
    ending = os.pidfd_open(child) if hasattr(os, "pidfd_open") else None
    try:
        computed = 0.0
        while not _ends_within(child, ending, seconds):
            before, computed = computed, _busy(child)
            if computed - before < LEAST * seconds:
                return True
        return False
    finally:
        if ending is not None:
            os.close(ending)


def _ends_within(child: int, ending: int | None, seconds: float) -> bool:
    if ending is not None:
        return bool(select.select([ending], [], [], seconds)[0])
    until = time.monotonic() + seconds
    while time.monotonic() < until:  # macOS has no file for a process
        if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            return True
        select.select([], [], [], 0.01)
    return False


def _busy(child: int) -> float:
    """Return for how many seconds a process has computed, or waited for a processor to be free."""
    try:
        tasks = [(task / "schedstat").read_text() for task in Path(f"/proc/{child}/task").iterdir()]
        return sum(int(n) for told in tasks for n in told.split()[:2]) / 1e9
    except (OSError, ValueError):  # macOS, a kernel that does not count it, or it has just ended
        return _processor_time(child)


def _processor_time(child: int) -> float:
    try:
        used = psutil.Process(child).cpu_times()
    except psutil.Error:  # it has just ended
        return math.inf
    return float(used.user + used.system)


def _be_the_copy(
    allowed: Allowance, files: list[int], given: dict[str, object], places: Places
) -> None:
    """Lock up, read the job, answer it and leave without a trace."""
    code = 1
    try:
        os.setpgid(0, 0)
        _end_with_the_parent(os.getppid())
        close_all_but(set(files))
        with os.fdopen(files[0], "rb") as file:
            job = json.loads(file.read())
        lock_up(allowed, places)
        told = Told(os.fdopen(files[1], "wb"), os.fdopen(files[2], "rb"))
        answer_job(job, given, told)
        code = 0
    finally:
        os._exit(code)


def _end_with_the_parent(parent: int) -> None:
    """Leave nobody behind, whatever ends the one who started this."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def start() -> None:
    """Begin as a process of its own; never come back."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the grader's, which then ends us
    try:
        main(int(sys.argv[1]), int(sys.argv[2]))
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
