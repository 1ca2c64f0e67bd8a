"""Phones without a browser: connections that speak HTTP by hand, politely or not."""

from __future__ import annotations

import asyncio
import functools
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from course_utils.room.whereabouts import Whereabouts

REPOSITORY = Path(__file__).resolve().parents[2]
CHOICE = {"name": "02.b", "question": "Which?", "options": ["a", "b", "c", "d"], "kind": "choice"}
NUMBER = {"name": "02.a", "question": "How much is left?", "options": [], "kind": "number"}


_writers: list[asyncio.StreamWriter] = []


def in_a_loop(test):
    """Run a test that waits for answers; close what it has connected."""

    async def to_its_end(given, named):
        try:
            await test(*given, **named)
        finally:
            for writer in _writers:
                writer.transport.abort()
            _writers.clear()
            await asyncio.sleep(0)

    @functools.wraps(test)
    def run(*given, **named):
        asyncio.run(to_its_end(given, named))

    return run


class Phone:
    """One connection to a room, with its cookie."""

    def __init__(self, port: int, code: str, source: str):
        self.port, self.code, self.source = port, code, source
        self.cookie = ""
        self.turn = -1

    @classmethod
    async def reach(cls, port: int, code: str = "", source: str = "127.0.0.1") -> Any:
        """Connect from an address of this machine's own."""
        phone = cls(port, code, source)
        await phone.connect()
        return phone

    async def connect(self) -> None:
        """Open a connection, or another one."""
        self.reader, self.writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.source, 0)
        )
        _writers.append(self.writer)

    async def say(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Send a request; return status, headers and body."""
        if self.reader.at_eof():  # a room ends what is idle, as browsers know
            await self.connect()
        lines = {"Host": "room", "Accept": "application/json", **headers}
        if self.cookie:
            lines["Cookie"] = self.cookie
        if body or method == "POST":
            lines["Content-Length"] = str(len(body))
        head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in lines.items())
        self.writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
        await self.writer.drain()
        return await self.hear()

    async def hear(self) -> tuple[int, dict[str, str], bytes]:
        """Read one answer."""
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        status, *lines = head.split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines if line)
        body = await self.reader.readexactly(int(headers.get("Content-Length", 0)))
        return int(status.split()[1]), headers, body

    async def join(self) -> bytes:
        """Load the page and take its cookie; return the page."""
        _, headers, page = await self.say("GET", f"/{self.code}", Accept="text/html")
        self.cookie = re.match("[^;]+", headers["Set-Cookie"])[0]
        return page

    async def joined(self) -> Any:
        """Join, and see what is asked now."""
        await self.join()
        await self.now(-1)
        return self

    async def now(self, seen: int | None = None) -> dict[str, Any]:
        """Return what is asked, or wait until it is another thing than what was seen."""
        seen = self.turn if seen is None else seen
        _, _, body = await self.say("GET", f"/{self.code}/now?seen={seen}")
        state = json.loads(body)
        self.turn = state.get("turn", self.turn)
        return state

    async def post(self, path: str, **fields: object) -> tuple[int, dict[str, Any]]:
        """Send a form; return status and answer."""
        body = urlencode(fields).encode()
        kind = "application/x-www-form-urlencoded"
        status, _, told = await self.say("POST", f"/{self.code}/{path}", body, Content_Type=kind)
        return status, json.loads(told)

    async def vote(self, answer: str) -> tuple[int, dict[str, Any]]:
        """Answer the question that was seen last."""
        return await self.post("vote", turn=self.turn, answer=answer)


class Presenter(Phone):
    """The presenter's side, with the key."""

    key = ""

    async def ask(self, **said: Any) -> dict[str, Any]:
        """Say what is wanted; return the answer."""
        body = json.dumps(said).encode()
        status, _, told = await self.say(
            "POST", f"/{self.code}/desk", body, Authorization=f"Bearer {self.key}"
        )
        assert status == 200, told
        return json.loads(told)

    async def state(self, seen: str = "") -> dict[str, Any]:
        """Return what the presenter may see."""
        path = f"/{self.code}/desk" + (f"?seen={seen}" if seen else "")
        status, _, told = await self.say("GET", path, Authorization=f"Bearer {self.key}")
        assert status == 200, told
        return json.loads(told)


class RoomProcess:
    """`course room` as a process of its own, on a free port."""

    def __init__(self, folder: Path, *options: str, note: Path | None = None, **environment: str):
        self.note = note or folder / "room.json"
        self.options, self.log = options, folder / "room.log"
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(REPOSITORY), os.environ.get("PYTHONPATH", "")]),
            "PYTHONUNBUFFERED": "1",
            "COURSE_ROOM_NOTE": str(self.note),
            **environment,
        }

    def __enter__(self) -> RoomProcess:
        command = [sys.executable, "-m", "course_utils.cli", "room", "--port=0", *self.options]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command, env=self.environment, stdout=log, stderr=subprocess.STDOUT
            )
        self.wait_for("Ctrl-C")
        if self.note.exists():
            self.where = Whereabouts(**json.loads(self.note.read_text()))
            self.port = int(self.where.desk.rsplit(":", 1)[1])
        return self

    def __exit__(self, *_error: object) -> None:
        self.process.terminate()
        self.process.wait(30)

    def wait_for(self, words: str) -> str:
        """Wait until the process has printed something; return all that it printed."""
        deadline = time.monotonic() + 60
        while words not in (said := self.log.read_text()):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"course room did not say {words!r}:\n{said}")
            time.sleep(0.05)  # a child process has no event that we could wait for
        return said

    async def presenter(self) -> Presenter:
        """Return a connection with this room's key."""
        presenter = await Presenter.reach(self.port, self.where.code)
        presenter.key = self.where.key
        return presenter

    async def phone(self, joined: bool = True) -> Phone:
        """Return a new phone, with its cookie and what is asked now."""
        phone = await Phone.reach(self.port, self.where.code)
        return await phone.joined() if joined else phone

    @property
    def memory(self) -> int:
        """Return the most memory that the process has had, in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return 1024 * int(re.search(r"VmHWM:\s*(\d+)", status)[1])
