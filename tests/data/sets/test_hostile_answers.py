"""Whatever a server answers: an end in time, in little memory, and one sentence a user can read."""

from __future__ import annotations

import hashlib
import random
import re
import socket
import threading
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest

from course_utils.data.sets import connection
from course_utils.data.sets.connection import DownloadError, said
from course_utils.data.sets.digests import IntegrityError, RemoteFile
from course_utils.data.sets.download import Patience, download
from tests.data.sets.hostile_answers import ANSWERS, SIZE, WHOLE
from tests.data.sets.hostile_server import serving

CONTENT = random.Random(7).randbytes(SIZE)
PATIENCE = Patience(seconds=0.3, tries=2, pause=0.01)
LONGEST = 6.0  # seconds, where 2 x 0.3 are waited for at most and this machine may be busy
MOST_MEMORY = 32 << 20  # the server is in this process, and what it holds counts too


@pytest.fixture(scope="module")
def server():
    with serving(CONTENT) as running:
        yield running


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.mark.parametrize("kind", ANSWERS)
def test_every_answer_has_an_end(tmp_path, server, kind, record_property):
    """Catches: a wait that bytes of any sort prolong, content read before it is wanted, a parser's
    own error, a server's escapes in the terminal, and a message that says something else.

    Whatever the answer is, only the right bytes are ever left.
    """
    url, partial = server.url(kind), tmp_path / "f"
    file = RemoteFile("f", url, SIZE, hashlib.sha256(CONTENT).hexdigest())
    tracemalloc.start()
    start, message = time.monotonic(), WHOLE
    try:
        download(file, partial, PATIENCE)
    except (DownloadError, IntegrityError) as error:
        message = str(error)
    finally:
        seconds, memory = time.monotonic() - start, tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    record_property("hostile_server", (kind, seconds, memory))
    assert seconds < LONGEST
    assert memory < MOST_MEMORY
    assert re.search(ANSWERS[kind].told, message), message
    assert message.isprintable()
    assert len(message) < 800
    assert message != WHOLE or partial.read_bytes() == CONTENT


@pytest.mark.parametrize(
    "kind", ["no_length_endless", "chunks_endless", "redirect_body_endless", "error_body_endless"]
)
def test_a_download_stops_reading_at_its_limit(tmp_path, server, kind):
    """Catches: a disk or a memory that fills up before the download notices: what the server could
    send is what was taken, and what lies in the sockets' buffers."""
    before = server.sent
    with suppress(DownloadError, IntegrityError):
        download(RemoteFile("f", server.url(kind), SIZE, "0" * 64), tmp_path / "f", PATIENCE)
    assert server.sent - before < 32 << 20


def test_encrypted_addresses_lead_to_encrypted_addresses():
    """Catches: a redirect that takes a download out of TLS, by a full or a half address."""
    for location in ("http://example.org/a", "HTTP://example.org/a"):
        with pytest.raises(DownloadError, match="not encrypted"):
            connection._next_address("https://example.org/a", location)
    for location in ("//example.org/b", "/b", "b", "https://example.org/b"):
        assert (
            connection._next_address("https://example.org/a", location) == "https://example.org/b"
        )


@pytest.mark.parametrize("first", [b"", b"\x16\x03\x03\x40\x00\x02"])
def test_encryption_that_never_begins_is_not_waited_for(tmp_path, first):
    """Catches: a handshake on which no clock runs, whether it is silent or drips."""
    over = threading.Event()

    def drip(listener):
        with listener.accept()[0] as client:
            client.sendall(first)
            while first and not over.wait(0.03):
                client.sendall(b"\0")
            over.wait(20)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=drip, args=(listener,))
        thread.start()
        url = f"https://127.0.0.1:{listener.getsockname()[1]}/f"
        start = time.monotonic()
        with pytest.raises(DownloadError, match="could not be downloaded"):
            download(RemoteFile("f", url, 7, "0" * 64), tmp_path / "f", Patience(0.3, 1, 0.01))
        assert time.monotonic() - start < LONGEST
        over.set()
        thread.join()


@contextmanager
def silence() -> Iterator[int]:
    """Yield a port that answers nobody: its queue is full."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener, ExitStack() as waiting:
        for _ in range(4):
            client = waiting.enter_context(socket.socket())
            client.setblocking(False)
            client.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


def resolve_to(monkeypatch, ports: list[int]) -> None:
    """Give every host as many addresses as there are ports."""
    kind = (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "")
    found = [(*kind, ("127.0.0.1", port)) for port in ports]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    monkeypatch.setenv("no_proxy", "x.example")


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_all_addresses_of_a_host_have_one_patience(tmp_path, monkeypatch, scheme):
    """Catches: a patience for each address: a host may have any number of them."""
    with silence() as port:
        resolve_to(monkeypatch, [port] * 30)
        start = time.monotonic()
        with pytest.raises(DownloadError, match="could not be downloaded"):
            download(
                RemoteFile("f", f"{scheme}://x.example/f", 7, "0" * 64),
                tmp_path / "f",
                Patience(0.6, 1, 0.01),
            )
        assert 0.5 < time.monotonic() - start < LONGEST


def test_an_address_that_is_silent_leaves_time_for_the_next(tmp_path, monkeypatch, server):
    """Catches: all the time given to the first address, and an address that is refused taken for
    the end; what answers has the time that is left, not its share of it."""
    with silence() as port, socket.create_server(("127.0.0.1", 0)) as closed:
        refusing = closed.getsockname()[1]
        closed.close()
        resolve_to(monkeypatch, [port, refusing, server.server_port, port, port, port, port])
        times = []
        real = connection._TimedResponse.__init__

        def noted(self, sock, *arguments, **options):
            times.append(sock.gettimeout())
            real(self, sock, *arguments, **options)

        monkeypatch.setattr(connection._TimedResponse, "__init__", noted)
        file = RemoteFile("f", "http://x.example/honest", SIZE, hashlib.sha256(CONTENT).hexdigest())
        download(file, tmp_path / "f", Patience(3.0, 1, 0.01))
    assert (tmp_path / "f").read_bytes() == CONTENT
    assert 1.5 < times[0] <= 3.0 * 6 / 7


def test_what_a_server_says_is_shown_short_and_printable():
    """Catches: a terminal that obeys a server."""
    assert said("plain text, écrit en français") == "plain text, écrit en français"
    assert said("\x1b[2Ja\nb\u202ec") == "�[2Ja�b�c"
    assert said("x" * 300) == "x" * 200 + " ..."
