"""Judge in a process of its own, where that is cheap: nothing it does reaches the lecture.

A copy of the kernel by `fork` takes some 20 ms. It dies alone (os._exit, endless recursion in C)
and can be stopped. Where there is no fork that PyTorch survives (Windows, macOS, a GPU in use), the
answer is judged in the kernel: an interrupt still stops Python code, but what ends Python ends
the lecture; a fresh process there would have to import PyTorch first, which takes seconds.
"""

from __future__ import annotations

import faulthandler
import json
import os
import select
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path

import torch
from IPython.utils.capture import capture_output

from course_utils.checks.exercise import Exercise
from course_utils.checks.judging.judge import Verdict, judge

# seconds before a check says that it still runs; where outputs are compared, nobody waits
PATIENCE = float(os.environ.get("COURSE_PATIENCE", "4"))
LIMIT = 30.0  # seconds before it is stopped
MORE_MEMORY = 2 << 30  # bytes that an answer may take
GRACE = 3.0  # seconds that a stopped answer has to say where it was
LAST_MOMENT = 0.5  # seconds that a copy has to end by itself
END = b"\n"  # of what a copy tells; JSON has none
NOT_READY = b"null" + END


def can_fork() -> bool:
    """Return whether a copy of this process can run PyTorch on its own."""
    main = threading.current_thread() is threading.main_thread()
    return sys.platform == "linux" and main and not torch.accelerator.is_available()


def judge_safely(exercise: Exercise, answer: object, waiting: Callable[[str], None]) -> Verdict:
    """Return a verdict whatever the answer does; `waiting` is told when it takes long."""
    if not can_fork():
        return _judge_here(exercise, answer, waiting)
    try:
        with _stop_button() as pressed:
            return _judge_apart(exercise, answer, pressed, waiting)
    except OSError:  # no memory or no room for another process, or none that can be made ready
        return _judge_here(exercise, answer, waiting)


@contextmanager
def _stop_button() -> Iterator[int]:
    """Yield where a press of the stop button can be read: it interrupts nothing of ours."""
    pressed, press = os.pipe()
    before = signal.signal(signal.SIGINT, lambda number, frame: os.write(press, b"."))
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before or signal.default_int_handler)
        os.close(pressed)
        os.close(press)


def _judge_apart(
    exercise: Exercise, answer: object, pressed: int, waiting: Callable[[str], None]
) -> Verdict:
    reading, writing = os.pipe()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()  # or both processes write what waits there
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python's, on forks beside threads
        child = os.fork()
    if child == 0:
        _be_the_copy(exercise, answer, writing)  # does not return
    with suppress(OSError):  # whichever comes first; what the answer starts belongs to it
        os.setpgid(child, child)
    os.close(writing)
    try:
        told = _read_all(child, reading, pressed, waiting)
    finally:
        os.close(reading)
        code = _end(child)
    if told == NOT_READY:
        raise OSError("the copy could not be made ready for an answer")
    with suppress(ValueError, TypeError):
        return Verdict(**json.loads(told))
    return Verdict(exercise.number, "error", _how_it_died(code))


def _be_the_copy(exercise: Exercise, answer: object, writing: int) -> None:
    """Judge, write the verdict and leave without a trace."""
    code, myself = 1, os.getpid()
    try:
        try:
            _make_ready()
        except Exception:  # of ours, not of the answer, which the kernel can judge itself
            os.write(writing, NOT_READY)
            return
        with capture_output():
            verdict = judge(exercise, answer)
        if os.getpid() != myself:  # the answer has forked: one verdict is enough
            return
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(json.dumps(asdict(verdict)).encode() + END)
        code = 0
    finally:
        os._exit(code)


def _make_ready() -> None:
    """Make a copy that can be stopped alone, is heard by nobody and has room for an answer."""
    os.setpgid(0, 0)
    torch.set_num_threads(1)  # the threads of the pool stayed behind
    _limit_memory()
    signal.signal(signal.SIGINT, _stop_once)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0), os.dup2(nowhere, 1), os.dup2(nowhere, 2)
    faulthandler.disable()  # it writes elsewhere; what the copy dies of is told in the verdict


def _stop_once(number: int, frame: object) -> None:
    """Stop the answer; the same wish may come from the server and from the kernel."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def _limit_memory() -> None:
    """Let an endless recursion or list fail before it takes what the lecture needs."""
    import resource  # not on Windows, where nothing forks

    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    _, most = resource.getrlimit(resource.RLIMIT_AS)  # a login node's is lower than ours
    wanted = used + MORE_MEMORY
    limit = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
    resource.setrlimit(resource.RLIMIT_AS, (limit, most))


def _read_all(child: int, reading: int, pressed: int, waiting: Callable[[str], None]) -> bytes:
    """Return what the copy wrote; stop it when the reader or the clock says so."""
    told, start, said, stopped = b"", time.monotonic(), False, False
    until = LIMIT
    while True:
        passed = time.monotonic() - start
        wait = (until if said else min(PATIENCE, until)) - passed
        ready, *_ = select.select([reading, pressed], [], [], max(0.0, wait))
        passed = time.monotonic() - start
        if reading in ready:
            part = os.read(reading, 1 << 16)
            told += part
            if not part or told.endswith(END):  # what the answer has started may hold the pipe open
                return told
        elif (pressed in ready and os.read(pressed, 1 << 16)) or passed >= until:
            if not stopped:
                stopped, until = True, passed + GRACE
                os.kill(child, signal.SIGINT)  # not waited for yet, so it is there; it may know
            elif passed >= until:
                return told  # it does not listen
        elif not said and passed >= PATIENCE:
            said = True
            waiting(still_running())


def _end(child: int) -> int:
    """End the copy and all it started; return its exit code, or minus the signal it died of."""
    ending = os.pidfd_open(child)
    try:
        select.select([ending], [], [], LAST_MOMENT)
    finally:
        os.close(ending)
    with suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def still_running() -> str:
    """Return what to say of an answer that takes long."""
    return (
        f"has been running for {PATIENCE:.0f} seconds. To stop it, press the square ■ above, or I "
        f"twice outside a cell. It is stopped after {LIMIT:.0f} seconds."
    )


def _how_it_died(code: int) -> str:
    if code == -signal.SIGKILL:
        return (
            "stopped: your function did not end and ignored the stop signal. Does every loop end?"
        )
    if code < 0:
        name = signal.Signals(-code).name
        return f"your function ends Python itself ({name}). Does it call itself without end?"
    return "your function ends Python itself. Is there an exit() in it?"


def _judge_here(exercise: Exercise, answer: object, waiting: Callable[[str], None]) -> Verdict:
    """Judge in this process; a clock tells when it takes long."""
    clock = threading.Timer(PATIENCE, waiting, [still_running()])
    clock.daemon = True
    clock.start()
    try:
        with capture_output(stdout=False, stderr=False):
            return judge(exercise, answer)
    finally:
        clock.cancel()
