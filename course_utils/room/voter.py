"""A notebook that votes: what is written for a prediction also counts in the room, when it asks.

COURSE_ROOM holds the room's address, with its code. A guess that was written before the room asks
is counted then, and again in a second vote.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from http.cookiejar import CookieJar
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

PAUSE = 1.0  # seconds after the last letter
PATIENCE = 40.0  # seconds, longer than a room lets anybody wait
AGAIN = 5.0  # seconds until a room that is gone is looked for
LARGEST = 1 << 16  # bytes of an answer
LATER = "It will count once the room asks this question."
AWAY = "The room cannot be reached; nothing else depends on it."
Tell = Callable[[str], object]


class Voter:
    """This kernel's voice in one room."""

    def __init__(self, link: str):
        if not link.startswith(("http://", "https://")):
            raise ValueError(
                f"COURSE_ROOM should be like http://192.168.1.5:8877/ABCD, not {link!r}"
            )
        self.link = link.rstrip("/")
        self._cookies = CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self._cookies))
        self._guesses: dict[str, tuple[str, Tell]] = {}
        self._sent: tuple[object, ...] = ()
        self._alone = threading.RLock()
        self._listener: threading.Thread | None = None

    def vote(self, name: str, guess: str, tell: Tell) -> None:
        """Hand a guess in when nothing more is typed; what becomes of it is told."""
        self._guesses[name] = (guess, tell)
        _in_background(self._hand_in, name, guess, tell, after=PAUSE)

    def _hand_in(self, name: str, guess: str, tell: Tell) -> None:
        if self._guesses[name][0] != guess:
            return
        with self._alone:
            self._listener = self._listener or _in_background(self._listen)
        try:
            if not self._answer(self._now(-1), name):
                tell(LATER)
        except OSError:
            tell(AWAY)

    def _listen(self) -> None:
        """Answer every question that there is a guess for."""
        turn = -1
        while True:
            try:
                state = self._now(turn)
                turn = state["turn"]
                self._answer(state, state.get("name", ""))
            except (OSError, KeyError):  # gone for now, or for good: this thread ends no kernel
                threading.Event().wait(AGAIN)

    def _answer(self, state: dict[str, object], name: str) -> bool:
        """Vote where this question is open; say whether it is."""
        if not state.get("open") or state.get("name") != name:
            return False
        if name in self._guesses:
            guess, tell = self._guesses[name]
            with self._alone:
                if self._sent != (state["turn"], guess, tell):
                    told = self._call("/vote", {"turn": state["turn"], "answer": guess})
                    self._sent = (state["turn"], guess, tell)
                    tell(str(told.get("says", "")))
        return True

    def _now(self, turn: int) -> dict[str, Any]:
        with self._alone:  # one kernel, one cookie
            if not self._cookies:
                self._call("")
        return self._call(f"/now?seen={turn}")

    def _call(self, path: str, form: dict[str, object] | None = None) -> dict[str, Any]:
        body = urlencode(form).encode() if form else None
        request = Request(self.link + path, body, {"Accept": "application/json"})
        try:
            with self._opener.open(request, timeout=PATIENCE) as answer:
                said = answer.read(LARGEST)
        except HTTPError as error:
            with error:
                if not form:
                    raise
                said = error.read(LARGEST)  # why it does not count
        try:
            told = json.loads(said) if path else {}
        except ValueError as error:
            raise OSError(f"{self.link} is not a room") from error
        return told if isinstance(told, dict) else {}


def _in_background(does: Callable[..., None], *given: object, after: float = 0) -> threading.Thread:
    thread = threading.Timer(after, does, given)
    thread.daemon = True
    thread.start()
    return thread


_voters: dict[str, Voter] = {}


def vote_in_room(name: str, guess: str, tell: Tell) -> None:
    """Hand a guess in to the room of COURSE_ROOM; do nothing where none is named."""
    link = os.environ.get("COURSE_ROOM", "").strip()
    if not link or not guess:
        return
    try:
        voter = _voters.setdefault(link, Voter(link))
    except ValueError as error:
        tell(str(error))
        return
    voter.vote(name, guess, tell)
