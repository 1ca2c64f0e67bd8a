"""What the presenter asks a room, with its key; and a laptop a relay, with its password."""

from __future__ import annotations

import asyncio
import hmac
import json
from typing import Any

from tornado import web

from course_utils.room.asked import Asked, Refused
from course_utils.room.ballot import Room
from course_utils.room.handler import Handler

DESK_PAUSE = 0.2  # seconds between two looks of the presenter at a vote


class Desk(Handler):
    """The presenter's part of a room."""

    def desk(self, code: str) -> Room:
        """Return the room whose key was given."""
        room = self.room(code)
        given = self.request.headers.get("Authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {room.key}".encode()):
            raise web.HTTPError(404)
        room.wanted = room.clock()
        return room

    async def get(self, code: str) -> None:
        """Answer when anything has changed since `seen`; at first with every closed vote."""
        room = self.desk(code)
        seen = self.get_query_argument("seen", "")
        if seen == str(room.changes):
            if not await self.changed(self.rooms.next_stir(room)):
                return
            await asyncio.sleep(DESK_PAUSE)  # three hundred votes are not three hundred answers
        self.desk(code)
        state = room.for_presenter()
        if not seen:
            state["rounds"] = {name: [a._asdict(), r] for name, (a, r) in room.rounds.items()}
        self.finish(state)

    def post(self, code: str) -> None:
        """Do what the presenter asks for: open, close, drop."""
        room = self.desk(code)
        try:
            said = json.loads(self.request.body)
            told = self.do(room, said if isinstance(said, dict) else {})
        except Refused as error:
            return self.refuse(error)
        except ValueError:
            raise web.HTTPError(400) from None
        self.finish(told)

    def do(self, room: Room, said: dict[str, Any]) -> dict[str, Any]:
        """Change the room; tell it to those who wait."""
        told: dict[str, object] = {}
        match said.get("do"):
            case "open":
                room.open(Asked.read(said.get("asked") or {}))
                self.rooms.turned(room)
            case "close":
                told = {"round": room.close()}
                self.rooms.turned(room)
            case "drop":
                room.drop_question(said.get("id"))
                self.rooms.stirred(room)
            case "end":
                self.rooms.remove(room.code)
            case _:
                raise Refused(400, "open, close, drop or end")
        return told


class Relay(Handler):
    """Rooms for laptops that phones cannot reach."""

    def post(self) -> None:
        """Open a room for whoever knows this relay's password."""
        given = self.request.headers.get("Authorization", "")
        right = f"Bearer {self.rooms.password}"
        if not self.rooms.password or not hmac.compare_digest(given.encode(), right.encode()):
            raise web.HTTPError(404)
        try:
            room = self.rooms.relay()
        except Refused as error:
            return self.refuse(error)
        self.finish({"code": room.code, "key": room.key})
