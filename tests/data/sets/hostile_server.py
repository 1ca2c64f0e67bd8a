"""A web server on this machine that does to a download everything that networks do."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.data.sets.hostile_answers import ANSWERS, Answer

PART = 40_000  # bytes that a broken connection brings


class Handler(BaseHTTPRequestHandler):
    """Serve one content under many names; the name says what goes wrong."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        kind = self.path.strip("/")
        self.server.requests.append((kind, self.headers.get("Range")))
        self.close_connection = True
        with self.server.counting():
            if kind in ANSWERS:
                self.give(ANSWERS[kind])
                return
            getattr(self, kind.replace("-", "_"))(self.server.content)

    def log_message(self, *args):
        """Say nothing."""

    def give(self, answer: Answer) -> None:
        """Send an answer as it is, until it ends, the client hangs up, or the test is over."""
        for piece in answer.pieces(self.server.content):
            self.wfile.write(piece)
            self.server.sent += len(piece)
            if self.server.go_on.wait(answer.pause) if answer.pause else self.server.go_on.is_set():
                return

    def begin(self, status: int, length: int | None = None, **headers: str) -> None:
        self.send_response(status)
        if length is not None:
            self.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def asked(self) -> int:
        """Return the first byte that the request wants."""
        return int((self.headers.get("Range") or "bytes=0-")[6:].split("-")[0])

    def ranged(self, content: bytes) -> bytes:
        """Begin an honest answer and return what it should bring."""
        first, total = self.asked(), len(content)
        if self.headers.get("Range"):
            self.begin(206, total - first, Content_Range=f"bytes {first}-{total - 1}/{total}")
        else:
            self.begin(200, total)
        return content[first:]

    def honest(self, content):
        self.wfile.write(self.ranged(content))

    def slow(self, content):
        body = self.ranged(content)
        self.wfile.write(body[:PART])
        self.server.half_way.set()
        self.server.go_on.wait(20)
        self.wfile.write(body[PART:])

    def truncates(self, content):
        self.wfile.write(self.ranged(content)[:PART])

    def truncates_without_ranges(self, content):
        self.begin(200, len(content))
        self.wfile.write(content[:PART])

    def without_ranges(self, content):
        self.begin(200, len(content))
        self.wfile.write(content)

    def without_length(self, content):
        self.begin(200, Connection="close")
        self.wfile.write(content)

    def corrupts(self, content):
        body = bytearray(self.ranged(content))
        body[-1] ^= 1
        self.wfile.write(body)

    def stalls_once(self, content):
        body = self.ranged(content)
        if self.asked():
            self.wfile.write(body)
        else:
            self.wfile.write(body[:PART])
            self.server.go_on.wait(20)

    def stalls(self, content):
        self.ranged(content)
        self.server.go_on.wait(20)

    def drips(self, content):
        for byte in self.ranged(content):
            self.wfile.write(bytes([byte]))
            if self.server.go_on.wait(0.05):
                return

    def announces_less(self, content):
        self.begin(200, len(content) - 7)
        self.wfile.write(content)

    def announces_more(self, content):
        self.begin(200, len(content) + 7)
        self.wfile.write(content + b"1234567")

    def sends_more(self, content):
        self.begin(200, Connection="close")
        self.wfile.write(content + b"x" * PART)

    def wrong_range(self, content):
        if self.asked():
            self.begin(206, PART, Content_Range=f"bytes 7-{PART + 6}/{len(content)}")
            self.wfile.write(content[7 : PART + 7])
        else:
            self.wfile.write(self.ranged(content)[:PART])

    def no_such_range(self, content):
        if self.asked():
            self.begin(416, 0)
        else:
            self.honest(content)

    def redirects(self, content):
        self.begin(302, 0, Location="/honest")

    def redirects_forever(self, content):
        self.begin(302, 0, Location="/redirects-forever")

    def redirects_to_a_file(self, content):
        self.begin(302, 0, Location="file:///etc/hostname")

    def codes(self, content):
        self.begin(200, len(content), Content_Encoding="gzip")
        self.wfile.write(content)

    def missing(self, content):
        self.begin(404, 0)

    def fails_twice(self, content):
        if len(self.server.requests) < 3:
            self.begin(503, 0)
        else:
            self.honest(content)


class Server(ThreadingHTTPServer):
    """Remember what was asked for; ends all that wait when it is closed."""

    daemon_threads = True

    def __init__(self, content: bytes):
        super().__init__(("127.0.0.1", 0), Handler)
        self.content = content
        self.sent = 0  # bytes of the answers in hostile_answers
        self.requests: list[tuple[str, str | None]] = []
        self.half_way, self.go_on = threading.Event(), threading.Event()
        self.two_at_once, self._open, self._lock = threading.Event(), 0, threading.Lock()

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Notice when two answers are under way at the same time."""
        with self._lock:
            self._open += 1
            if self._open > 1:
                self.two_at_once.set()
        try:
            yield
        finally:
            with self._lock:
                self._open -= 1

    def url(self, kind: str) -> str:
        return f"http://127.0.0.1:{self.server_port}/{kind}"

    def handle_error(self, request, client_address):
        """Pass over clients that hung up: here they are meant to."""


@contextmanager
def serving(content: bytes) -> Iterator[Server]:
    """Serve on a free loopback port for as long as the block runs."""
    with Server(content) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.go_on.set()
            server.shutdown()
            thread.join()
