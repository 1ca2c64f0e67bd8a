"""What every answer of a room has in common: no traces, no sniffing, no frames."""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import Awaitable
from typing import Any

from tornado import web
from tornado.http1connection import HTTP1Connection

from course_utils.room.asked import Refused
from course_utils.room.ballot import Room
from course_utils.room.rooms import Rooms

PATIENCE = 25.0  # seconds that a question is waited for
COOKIE = "voter"


class Handler(web.RequestHandler):
    """What every answer has in common: no traces, no sniffing, no frames."""

    rooms: Rooms

    def initialize(self, rooms: Rooms) -> None:
        """Take the rooms of this server."""
        self.rooms = rooms

    def set_default_headers(self) -> None:
        """Forbid what no page of ours needs."""
        self.set_header("Server", "room")
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")

    def room(self, code: str) -> Room:
        """Return the room of a code."""
        room = self.rooms.rooms.get(code.upper())
        if room is None:
            raise web.HTTPError(404)
        return room

    def person(self, room: Room) -> str:
        """Return the word in the visitor's cookie, whoever made it."""
        return self.get_cookie(f"{COOKIE}_{room.code}") or ""

    def welcome(self, room: Room, person: str) -> None:
        """Note that somebody is there; tell the presenter of whoever is new."""
        if room.heard_of(person):
            self.rooms.stirred(room)

    @property
    def wants_json(self) -> bool:
        """Return whether a script asks, not a browser that has none."""
        return "json" in self.request.headers.get("Accept", "")

    def show(self, page: tuple[str, str]) -> None:
        """Answer with a page under its own policy."""
        body, policy = page
        self.set_header("Content-Security-Policy", policy)
        self.finish(body)

    async def changed(self, waiting: Awaitable[object]) -> bool:
        """Wait for a change, not for ever, nor for somebody who has gone."""
        connection = self.request.connection
        if not isinstance(connection, HTTP1Connection) or connection.stream.closed():
            self.gone = True  # before we could be told
        patience = 0 if self.gone else PATIENCE
        self.waiting = asyncio.ensure_future(asyncio.wait_for(waiting, patience))
        try:
            await self.waiting
        except TimeoutError:
            pass
        except asyncio.CancelledError:
            if not self.gone:
                raise
        return not self.gone

    gone = False

    def on_connection_close(self) -> None:
        """Stop waiting for somebody who has gone."""
        self.gone = True
        if waiting := getattr(self, "waiting", None):
            waiting.cancel()

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """Say what is wrong in a few words, never how it came about."""
        error = kwargs.get("exc_info", (None, None))[1]
        says = str(error) if isinstance(error, Refused) else {404: "There is no such room."}.get(
            status_code, "This cannot be answered.")  # fmt: skip
        self.finish({"says": says})

    def log_exception(self, kind: Any, value: Any, trace: Any) -> None:
        """Print a mistake of ours, without a word about who met it."""
        if not isinstance(value, web.HTTPError | Refused):
            traceback.print_exception(kind, value, trace, file=sys.stderr)

    def refuse(self, error: Refused) -> None:
        """Answer what does not count."""
        self.set_status(error.status)
        self.finish({"says": str(error)})
