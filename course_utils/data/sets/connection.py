"""One connection of a download: the limits on its time, its bytes and its redirects."""

from __future__ import annotations

import io
import socket
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.error import URLError
from urllib.parse import quote, urljoin, urlsplit

MOST_REDIRECTS = 5
REDIRECTS = (301, 302, 303, 307, 308)
SLOWEST = 1000  # bytes of content a second: below this, a connection counts as stalled
LONGEST_SAID = 200  # how many characters of a server's own words are shown
HARMLESS = "!#$%&'()*+,/:;=?@[]~"  # what need not be quoted in a URL


class DownloadError(OSError):
    """A file could not be downloaded; what arrived is kept for the next try, or is gone."""


class BrokenError(Exception):
    """This connection ended early; another may continue where it stopped."""


class Clock:
    """Give a connection its seconds until content comes, and as many again for each share of it.

    Only content counts. Headers, interim responses and trailers use up the same time, so none of
    them can hold up a download for ever, however steadily they come.
    """

    def __init__(self, seconds: float):
        self.seconds = seconds
        self._begin()

    def _begin(self) -> None:
        self.since, self.arrived = time.monotonic(), 0

    def left(self) -> float:
        """Return the seconds that are left; raise when time is up."""
        left = self.since + self.seconds - time.monotonic()
        if left <= 0:
            raise TimeoutError(f"only {self.arrived:,} bytes in {self.seconds:g} s")
        return left

    def count(self, arrived: int) -> None:
        """Record how much content arrived."""
        self.arrived += arrived
        if self.arrived >= SLOWEST * self.seconds:
            self._begin()


def said(text: object) -> str:
    """Return somebody else's text in a form that can be shown: printable, one line, and short."""
    shown = "".join(sign if sign.isprintable() else "�" for sign in str(text)[: LONGEST_SAID + 1])
    return f"{shown[:LONGEST_SAID]} ..." if len(shown) > LONGEST_SAID else shown


def connect(url: str, headers: dict[str, str], clock: Clock) -> HTTPResponse:
    """Return the answer to a request, redirects followed, whatever its status is."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.UnknownHandler(),
        _Plain(clock),
        _Encrypted(clock),
    ):
        opener.add_handler(handler)
    for _ in range(MOST_REDIRECTS + 1):
        _refuse_other_schemes(url)
        try:
            request = urllib.request.Request(url, headers=headers)
            answer: HTTPResponse = opener.open(request, timeout=clock.left())
        except ValueError as error:  # invalid URLs fail in many ways, all of them ValueErrors
            raise DownloadError(f"{said(url)} is not a valid address: {said(error)}") from error
        except (OSError, HTTPException) as error:
            raise BrokenError(_reason(error)) from error
        if answer.status not in REDIRECTS:
            return answer
        answer.close()  # unread: a redirect's content may be of any length
        url = _next_address(url, answer.headers.get("Location"))
    raise DownloadError(f"redirected more than {MOST_REDIRECTS} times, at last to {said(url)}")


def pieces(response: HTTPResponse, clock: Clock, size: int) -> Iterator[bytes]:
    """Yield the content as it arrives, at most `size` bytes at once."""
    while True:
        try:
            piece = response.read1(size)
        except (OSError, HTTPException, ValueError) as error:
            raise BrokenError(_reason(error)) from error
        if not piece:
            return
        clock.count(len(piece))
        yield piece


def _reason(error: Exception) -> str:
    inner = error.reason if isinstance(error, URLError) else error  # urllib wraps what it met
    return said(str(inner) or type(inner).__name__)


def _refuse_other_schemes(url: str) -> None:
    if urlsplit(url).scheme not in ("http", "https"):
        raise DownloadError(f"only http and https are used, not {said(url)}")


def _next_address(url: str, location: str | None) -> str:
    """Return where a redirect leads: only to the web, and never from https to plain http."""
    if not location:
        raise DownloadError(f"{said(url)} redirects without saying where")
    try:
        address = quote(urljoin(url, location), safe=HARMLESS, encoding="latin-1")
        parts = urlsplit(address)
        _refuse_other_schemes(address)
        if not (parts.hostname and parts.hostname.encode("idna")) or parts.port == 0:
            raise ValueError("it names no host")
    except ValueError as error:
        raise DownloadError(
            f"{said(url)} redirects to {said(location)}, not a valid address: {said(error)}"
        ) from error
    if urlsplit(url).scheme == "https" and parts.scheme != "https":
        raise DownloadError(f"{said(url)} redirects to {said(address)}, which is not encrypted")
    return address


class _TimedReader(io.RawIOBase):
    """A socket's bytes, each read limited to the time left on the clock."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket, clock: Clock):
        self.raw, self.sock, self.clock = raw, sock, clock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self.sock.settimeout(self.clock.left())
        try:
            return self.raw.readinto(buffer)
        except TimeoutError:
            self.clock.left()  # its error says how much has arrived
            raise

    def close(self) -> None:
        self.raw.close()
        super().close()


class _TimedResponse(HTTPResponse):
    """A response that is read entirely against the clock, even the parts that http.client skips."""

    def __init__(self, sock: socket.socket, *arguments: Any, clock: Clock, **options: Any):
        super().__init__(sock, *arguments, **options)
        self.fp = io.BufferedReader(_TimedReader(self.fp.detach(), sock, clock))


class _TimedHTTP(HTTPConnection):
    """A connection that must be opened, encrypted and answered within the clock's time."""

    def __init__(self, *arguments: Any, clock: Clock, **options: Any):
        super().__init__(*arguments, **options)
        self.clock = clock
        respond = partial(_TimedResponse, clock=clock)
        self.response_class = respond  # type: ignore[assignment]  # it is only called
        self._create_connection = self._first_that_answers

    def _first_that_answers(self, address: tuple[str, int], *_: object) -> socket.socket:
        """Try a host's addresses in turn, each for its share of the time that all of them have."""
        found = socket.getaddrinfo(*address, type=socket.SOCK_STREAM)
        for n, (family, kind, protocol, _name, place) in enumerate(found):
            try:
                with ExitStack() as unless_connected:
                    sock = unless_connected.enter_context(socket.socket(family, kind, protocol))
                    sock.settimeout(self.clock.left() / (len(found) - n))
                    sock.connect(place)
                    sock.settimeout(self.clock.left())
                    unless_connected.pop_all()
                    return sock
            except OSError as error:
                reason = error
        raise reason


class _TimedHTTPS(_TimedHTTP, HTTPSConnection):
    pass


class _Plain(urllib.request.HTTPHandler):
    def __init__(self, clock: Clock):
        super().__init__()
        self.clock = clock

    def http_open(self, request: urllib.request.Request) -> HTTPResponse:
        return self.do_open(partial(_TimedHTTP, clock=self.clock), request)


class _Encrypted(urllib.request.HTTPSHandler):
    def __init__(self, clock: Clock):
        super().__init__()
        self.clock = clock

    def https_open(self, request: urllib.request.Request) -> HTTPResponse:
        return self.do_open(partial(_TimedHTTPS, clock=self.clock), request)
