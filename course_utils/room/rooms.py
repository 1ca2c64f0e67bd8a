"""The rooms of a server, and what wakes those who wait for a change in one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from course_utils.room.asked import Refused
from course_utils.room.ballot import Room

MOST_ROOMS = 100
HOURS = 4 * 3600


class Rooms:
    """The rooms of this server, by their codes, and what wakes those who wait for a change."""

    def __init__(self, password: str = "") -> None:
        self.rooms: dict[str, Room] = {}
        self.password = password  # with which a laptop may open a room here; none: nobody may
        self.arrived: Callable[[str], object] = lambda address: None
        self._turned: dict[str, asyncio.Event] = {}
        self._stirred: dict[str, asyncio.Event] = {}

    def add(self, room: Room) -> Room:
        """Let phones reach a room."""
        self.rooms[room.code] = room
        self._turned[room.code], self._stirred[room.code] = asyncio.Event(), asyncio.Event()
        return room

    def relay(self) -> Room:
        """Open a room for a laptop elsewhere; forget those that no presenter wants any more."""
        for room in [*self.rooms.values()]:
            if room.clock() - room.wanted > HOURS:
                self.remove(room.code)
        if len(self.rooms) >= MOST_ROOMS:
            raise Refused(503, "this relay has no room left")
        room = Room()
        while room.code in self.rooms:
            room = Room()
        return self.add(room)

    def remove(self, code: str) -> None:
        """Forget a room and all that is in it; send home those who wait."""
        if self.rooms.pop(code, None):
            for waiting in (self._turned.pop(code), self._stirred.pop(code)):
                waiting.set()

    def turned(self, room: Room) -> None:
        """Wake every phone, and the presenter."""
        event, self._turned[room.code] = self._turned[room.code], asyncio.Event()
        event.set()
        self.stirred(room)

    def stirred(self, room: Room) -> None:
        """Wake the presenter: somebody has answered."""
        event, self._stirred[room.code] = self._stirred[room.code], asyncio.Event()
        event.set()

    def next_turn(self, room: Room) -> Awaitable[object]:
        """Return what is done when the room is asked something else."""
        return self._turned[room.code].wait()

    def next_stir(self, room: Room) -> Awaitable[object]:
        """Return what is done when anything has changed for the presenter."""
        return self._stirred[room.code].wait()
