"""A room served inside a test: the real server, in the test's own loop, on a free port."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from course_utils.room.ballot import Room
from course_utils.room.rooms import Rooms
from course_utils.room.server import listen
from tests.room.phones import Phone, Presenter


class Served:
    """A room, its server, and the connections that a test has made."""

    def __init__(self, password: str = "", per_address: int = 0):
        self.rooms = Rooms(password)
        self.room = self.rooms.add(Room(per_address))
        self.server = listen(self.rooms, address="127.0.0.1")

    async def phone(self, joined: bool = True, source: str = "127.0.0.1") -> Phone:
        """Return a new phone, with its cookie and what is asked now."""
        phone = await Phone.reach(self.server.port, self.room.code, source)
        return await phone.joined() if joined else phone

    async def presenter(self) -> Presenter:
        """Return the presenter's side."""
        presenter = await Presenter.reach(self.server.port, self.room.code)
        presenter.key = self.room.key
        return presenter

    async def close(self) -> None:
        """End the server and its connections."""
        self.server.stop()
        await self.server.close_all_connections()


@asynccontextmanager
async def served(**options) -> AsyncIterator[Served]:
    """Serve a room meanwhile."""
    serving = Served(**options)
    try:
        yield serving
    finally:
        await serving.close()
