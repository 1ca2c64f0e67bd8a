"""From the slides to the room: JupyterLab's own page asks its server, and that asks the room.

Only this way round. The room has no address of this server, no token, and nothing to ask it.
"""

from __future__ import annotations

import json
from typing import Any

from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join
from tornado import web
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest

from course_utils.room.qr import qr_code
from course_utils.room.whereabouts import Whereabouts, read_note

ADDRESS = "/course/room"
CONNECT, ANSWER = 3.0, 40.0  # seconds


class Door(APIHandler):
    """Hand the presenter's words to the room, and its answers back."""

    @web.authenticated
    async def get(self) -> None:
        """Answer with what the room says, when it is another thing than what was `seen`."""
        where = read_note()
        seen = self.get_query_argument("seen", "")
        path = f"?seen={seen}" if seen.isdigit() else ""
        told = await self.told(where, HTTPRequest(_desk(where) + path)) if where else None
        if where and told and not path:
            link = f"{where.address}/{where.code}"
            told |= {"code": where.code, "address": where.address, "qr": qr_code(link)}
        self.finish(json.dumps({"room": told, "away": bool(where and told is None)}))

    @web.authenticated
    async def post(self) -> None:
        """Open a vote, close it, or drop a question."""
        where = read_note()
        request = (
            HTTPRequest(_desk(where), method="POST", body=self.request.body) if where else None
        )
        told = await self.told(where, request) if where and request else None
        self.finish(json.dumps({"room": told, "away": bool(where and told is None)}))

    async def told(self, where: Whereabouts, request: HTTPRequest) -> dict[str, object] | None:
        """Return what the room answers, None where it does not."""
        request.headers["Authorization"] = f"Bearer {where.key}"
        request.connect_timeout, request.request_timeout = CONNECT, ANSWER
        request.follow_redirects = False
        try:
            answer = await AsyncHTTPClient(force_instance=False).fetch(request)
            told = json.loads(answer.body)
        except (HTTPClientError, OSError, ValueError):
            return None  # closed, or out of reach: the page says so
        return told if isinstance(told, dict) else None


def _desk(where: Whereabouts) -> str:
    return f"{where.desk}/{where.code}/desk"


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "course_utils.room_door"}]


def _load_jupyter_server_extension(server: Any) -> None:
    address = url_path_join(server.web_app.settings["base_url"], ADDRESS)
    server.web_app.add_handlers(".*$", [(address, Door)])
