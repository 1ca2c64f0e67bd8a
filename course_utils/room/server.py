"""The room's server: phones at /CODE, the presenter at /CODE/desk with a key, nothing else.

It serves no file, knows no Jupyter, and is a process of its own. Whoever floods it is held up by
limits on connections, sizes and time; what is wrong is answered and forgotten.
"""

from __future__ import annotations

import sys
from collections import Counter

from tornado import httpserver, web
from tornado.iostream import IOStream
from tornado.netutil import bind_sockets

from course_utils.room.desk import Desk, Relay
from course_utils.room.handler import Handler
from course_utils.room.phones import Entry, Now, Phone, Question, Vote
from course_utils.room.rooms import Rooms

LONGEST_BODY = 16 * 1024  # times connections is what a flood can fill
CHUNK = 4096  # bytes that are taken from a connection at once
SLOWEST = 10.0  # seconds for the lines of a request, and for its body
MOST_CONNECTIONS = 3000 if sys.platform != "win32" else 480  # which Windows can wait for at once
CODE = "([A-Za-z]{4})"


class Doorkeeper(httpserver.HTTPServer):
    """Lets in as many connections as there is room for; the greediest address loses its oldest."""

    streams: dict[IOStream, str]
    port: int

    def handle_stream(self, stream: IOStream, address: tuple[str, int]) -> None:
        """Note a connection until it is closed."""
        streams = self.__dict__.setdefault("streams", {})
        if len(streams) >= MOST_CONNECTIONS:
            self.streams = streams = {s: a for s, a in streams.items() if not s.closed()}
        if len(streams) >= MOST_CONNECTIONS:
            greediest, _ = Counter(streams.values()).most_common(1)[0]
            oldest = next(s for s, a in streams.items() if a == greediest)
            oldest.close()
            del streams[oldest]
        streams[stream] = address[0]
        super().handle_stream(stream, address)


def application(rooms: Rooms) -> web.Application:
    """Return the routes; there are no others."""
    given = {"rooms": rooms}
    routes = [
        (r"/", Entry, given),
        (rf"/{CODE}", Phone, given),
        (rf"/{CODE}/now", Now, given),
        (rf"/{CODE}/vote", Vote, given),
        (rf"/{CODE}/question", Question, given),
        (rf"/{CODE}/desk", Desk, given),
        (r"/rooms", Relay, given),
    ]
    return web.Application(
        routes, default_handler_class=Nowhere, default_handler_args=given, log_function=_silent
    )


class Nowhere(Handler):
    """Every other address."""

    def prepare(self) -> None:
        """Say that there is nothing."""
        raise web.HTTPError(404)


def _silent(handler: web.RequestHandler) -> None:
    """Log nothing: a line would hold an address."""


def listen(
    rooms: Rooms, port: int = 0, address: str = "", behind_proxy: bool = False
) -> Doorkeeper:
    """Serve from now on, in the running loop."""
    server = Doorkeeper(
        application(rooms),
        xheaders=behind_proxy,
        max_body_size=LONGEST_BODY,
        chunk_size=CHUNK,
        max_header_size=8192,
        idle_connection_timeout=SLOWEST,
        body_timeout=SLOWEST,
    )
    sockets = bind_sockets(port, address)
    server.add_sockets(sockets)
    server.port = sockets[0].getsockname()[1]
    return server
