"""Warm processes that answer jobs side by side, and what each of them told."""

from __future__ import annotations

import json
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import course_utils
from course_utils.classroom.locks.limits import Allowance
from course_utils.classroom.runner.functions import computed

WARM = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from course_utils.classroom.runner.warm import start
start()
"""
MOST_ASKED, MOST_SECONDS = 2000, 5.0  # of a case's own functions, for one answer


@dataclass
class Job:
    """One answer to run: what goes in, and the functions that its cases hold."""

    key: Any
    body: Mapping[str, object]
    functions: Sequence[Callable[..., object]] = ()


@dataclass
class Ran:
    """What a judged process told, and how it ended."""

    lines: list[dict[str, object]] = field(default_factory=list)
    code: int = 0
    slept: bool = False  # it was ended by the clock on the wall
    flooded: bool = False  # it told more than it may
    noise: bool = False  # somebody else wrote into its channel
    asked: int = 0  # how often it called the functions of its cases


class Pool:
    """A few warm processes for the answers of one lecture."""

    def __init__(
        self,
        imports: Sequence[str],
        workers: int = 2,
        allowed: Allowance | None = None,
        hidden: Sequence[Path] = (),
    ):
        self.allowed = allowed or Allowance()
        paths = [str(path.resolve()) for path in hidden]
        self.begin_with = json.dumps({"imports": list(imports), "hidden": paths}).encode()
        self.selector = selectors.DefaultSelector()
        self.workers = [_Worker(self) for _ in range(workers)]

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Ran]]:
        """Yield every job with what it told, in the order in which they end."""
        waiting = iter(jobs)
        busy = {worker for worker in self.workers if worker.begin(next(waiting, None))}
        while busy:
            for key, _ in self.selector.select():
                worker: _Worker = key.data
                ended = worker.hear(key.fileobj)
                if ended is not None:
                    yield ended
                    if not worker.begin(next(waiting, None)):
                        busy.discard(worker)

    def close(self) -> None:
        """End the processes."""
        for worker in self.workers:
            worker.close()
        self.selector.close()


@contextmanager
def pool(
    imports: Sequence[str],
    workers: int = 2,
    allowed: Allowance | None = None,
    hidden: Sequence[Path] = (),
) -> Iterator[Pool]:
    """Open a pool and close it, whatever happens; no answer reads what is hidden."""
    opened = Pool(imports, workers, allowed, hidden)
    try:
        yield opened
    finally:
        opened.close()


class _Worker:
    def __init__(self, pool: Pool):
        self.pool = pool
        self.job: Job | None = None
        self._start()

    def _start(self) -> None:
        self.channel, theirs = socket.socketpair()  # one message at a time, each answered
        root = str(Path(course_utils.__file__).resolve().parents[1])
        command = [sys.executable, "-E", "-P", "-c", WARM, root]
        with theirs:
            self.process = subprocess.Popen(
                [*command, str(theirs.fileno()), str(os.getpid())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                cwd=tempfile.gettempdir(),
                env={name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ},
            )
        self.channel.send(self.pool.begin_with)
        if not self.channel.recv(16):
            raise ChildProcessError(f"a judged process could not start: {self.process.wait()}")
        self.pool.selector.register(self.channel, selectors.EVENT_READ, self)

    def begin(self, job: Job | None) -> bool:
        """Hand a job on; return whether there was one."""
        self.job = job
        if job is None:
            return False
        self.heard, self.ran, self.spent = bytearray(), Ran(), 0.0
        self.unsaid = bytearray()  # of what is answered: a pipe takes some of it at a time
        self.reading, telling = os.pipe()
        back, self.answering = os.pipe()
        for file in (self.reading, self.answering):
            os.set_blocking(file, False)
        with tempfile.TemporaryFile() as body:
            body.write(json.dumps(job.body).encode())
            body.seek(0)
            said = json.dumps(list(self.pool.allowed)).encode()
            socket.send_fds(self.channel, [said], [body.fileno(), telling, back])
        os.close(telling)
        os.close(back)
        self.pool.selector.register(self.reading, selectors.EVENT_READ, self)
        return True

    def hear(self, source: object) -> tuple[Job, Ran] | None:
        """Read what there is; return the job and all it told once it has ended."""
        if source is not self.channel:
            self._read() if source == self.reading else self._say()
            return None
        try:
            said = self.channel.recv(4096)
        except ConnectionError:
            said = b""
        if said:
            ended = json.loads(said)
            self.ran.code, self.ran.slept = ended["code"], ended["slept"]
        while self._read():
            pass
        self._stop_reading()
        self._stop_saying()
        os.close(self.answering)
        self._take_lines(rest=True)
        if not said:  # the process itself was ended, by a system without memory
            self.ran.code = -9
            self._restart()
        assert self.job is not None
        return self.job, self.ran

    def _read(self) -> bool:
        """Read once; return whether there may be more."""
        if self.reading < 0:
            return False
        try:
            part = os.read(self.reading, 1 << 16)
        except BlockingIOError:
            return False
        self.heard += part
        if not part or len(self.heard) > self.pool.allowed.letters:
            self.ran.flooded = bool(part)
            self._stop_reading()
            return False
        self._take_lines()
        return True

    def _stop_reading(self) -> None:
        if self.reading >= 0:
            self.pool.selector.unregister(self.reading)
            os.close(self.reading)
            self.reading = -1

    def _take_lines(self, rest: bool = False) -> None:
        """Answer what was asked; at the end, keep the other lines."""
        if not rest:
            last = self.heard.rfind(b"\n")
            tail = self.heard.rfind(b"\n", 0, last) + 1
            if last == len(self.heard) - 1 and self.heard[tail : tail + 6] == b'{"ask"':
                self._answer(bytes(self.heard[tail:]))
                del self.heard[tail:]
            return
        for line in bytes(self.heard).splitlines():
            told = _object(line)
            if told is None:
                self.ran.noise = True
            else:
                self.ran.lines.append(told)

    def _answer(self, line: bytes) -> None:
        assert self.job is not None
        if self.unsaid:  # no call of ours asks before it has read: this line is the answer's own
            self.ran.noise = True
            return
        told, start = _object(line) or {}, time.monotonic()
        self.ran.asked += 1
        answer: dict[str, object] = {"raised": ["RuntimeError", "it is called too often"]}
        if self.ran.asked <= MOST_ASKED and self.spent < MOST_SECONDS:
            answer = computed(self.job.functions, told)
        self.spent += time.monotonic() - start
        self.unsaid += json.dumps(answer).encode() + b"\n"
        self._say()

    def _say(self) -> None:
        """Say as much of what is answered as the pipe takes, and the rest when it takes more."""
        try:
            del self.unsaid[: os.write(self.answering, self.unsaid)]
        except BlockingIOError:
            pass
        except OSError:  # nobody listens: the answer has ended
            self.unsaid.clear()
        waits = self.answering in self.pool.selector.get_map()
        if self.unsaid and not waits:
            self.pool.selector.register(self.answering, selectors.EVENT_WRITE, self)
        elif not self.unsaid:
            self._stop_saying()

    def _stop_saying(self) -> None:
        self.unsaid.clear()
        with suppress(KeyError):
            self.pool.selector.unregister(self.answering)

    def _restart(self) -> None:
        self.close()
        self._start()

    def close(self) -> None:
        """End the process and let go of its channel."""
        with suppress(KeyError, ValueError):
            self.pool.selector.unregister(self.channel)
        self.channel.close()
        self.process.kill()
        self.process.wait()


def _object(line: bytes) -> dict[str, object] | None:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None
