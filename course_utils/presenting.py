"""Start a show automatically, once: `course present 03` may, a link on another page may not.

The command gives this server one word for one lecture, and opens /course/present/WORD. That leads
to the lecture, whose page hands the word back. Only the first page that does may run the lecture:
a reload, a copied link, another lecture or a made-up word gets the button *Present* instead.
"""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jupyter_server.base.handlers import APIHandler, JupyterHandler
from jupyter_server.utils import url_path_join
from tornado import web

ADDRESS = "/course/present"


class Invitation:
    """The one lecture that this server was asked to show, and the word that starts it once."""

    def __init__(self) -> None:
        self.lecture = self._word = ""
        self.short = False

    def invite(self, lecture: Path, short: bool = False) -> str:
        """Return a new word that starts this lecture; a word given before is no longer valid."""
        self.short = short
        self.lecture, self._word = lecture.as_posix(), secrets.token_urlsafe(24)
        return self._word

    def holds(self, word: str) -> bool:
        """Return whether this is the word, and still unused."""
        return bool(self._word) and secrets.compare_digest(word.encode(), self._word.encode())

    def use(self, word: str, lecture: str) -> bool:
        """Return whether this page may start this lecture; after a yes, no other may."""
        if lecture != self.lecture or not self.holds(word):
            return False
        self._word = ""
        return True


invitation = Invitation()  # of this process, which is the server


def invite(lecture: Path, short: bool = False) -> str:
    """Return the address, below the server's own, that opens a lecture and starts its show."""
    return url_path_join(ADDRESS, invitation.invite(lecture, short))


class Open(JupyterHandler):
    """Lead a browser to the lecture; looking at the address uses nothing up."""

    @web.authenticated
    def get(self, word: str) -> None:
        """Redirect, with the word only where it is the right one."""
        page = url_path_join(self.base_url, "lab/tree", quote(invitation.lecture))
        self.redirect(f"{page}?present={word}" if invitation.holds(word) else page)


class Start(APIHandler):
    """Tell a page whether it may start the show."""

    @web.authenticated
    def post(self) -> None:
        """Answer a page that names its word and its lecture, both as JSON."""
        asked = self.get_json_body()
        given = asked if isinstance(asked, dict) else {}
        word, lecture = (str(given.get(name, "")) for name in ("word", "lecture"))
        answer = {"present": invitation.use(word, lecture), "short": invitation.short}
        self.finish(json.dumps(answer))


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "course_utils.presenting"}]


def _load_jupyter_server_extension(server: Any) -> None:
    address = url_path_join(server.web_app.settings["base_url"], ADDRESS)
    handlers = [(f"{address}/([A-Za-z0-9_-]+)", Open), (address, Start)]
    server.web_app.add_handlers(".*$", handlers)
