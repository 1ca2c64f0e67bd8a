"""What phones ask a room: its page, what is asked now; and what they tell it."""

from __future__ import annotations

from course_utils.room.asked import Refused
from course_utils.room.handler import COOKIE, Handler
from course_utils.room.phone_page import entry_page, phone_page
from course_utils.room.rooms import HOURS


class Entry(Handler):
    """The address without a code."""

    def get(self) -> None:
        """Ask for the four letters, or lead to their room."""
        code = self.get_query_argument("code", "").upper().strip()
        if code in self.rooms.rooms:
            self.redirect(code)
        else:
            self.show(entry_page(".", f"There is no room {code[:4]}." if code else ""))


class Phone(Handler):
    """The page of a room."""

    def get(self, code: str) -> None:
        """Show what is asked now; give whoever has none a word that votes once."""
        room = self.rooms.rooms.get(code.upper())
        if room is None:
            self.set_status(404)
            return self.show(entry_page(".", f"There is no room {code.upper()}."))
        person = self.person(room)
        if room.is_person(person):
            self.welcome(room, person)
        else:
            person = room.new_person()  # who counts as soon as the cookie comes back
            secure = self.request.protocol == "https"
            self.set_cookie(f"{COOKIE}_{room.code}", person, max_age=HOURS, httponly=True,
                            secure=secure, samesite="Lax")  # fmt: skip
        self.rooms.arrived(self.request.remote_ip or "")
        self.show(phone_page(room.code, room.for_phones(person)))


class Now(Handler):
    """What is asked, as soon as it is another thing than what the phone has seen."""

    async def get(self, code: str) -> None:
        """Answer at once, or when the question changes."""
        room = self.room(code)
        person = self.person(room)
        if room.is_person(person):
            self.welcome(room, person)
        if self.get_query_argument("seen", "") == str(room.turn):
            if not await self.changed(self.rooms.next_turn(room)):
                return
            self.room(code)  # it may be closed by now
        self.finish(room.for_phones(person))


class Vote(Handler):
    """An answer from a phone or a notebook."""

    def post(self, code: str) -> None:
        """Count it, or say why not; a browser without scripts is led back to the page."""
        room = self.room(code)
        person = self.person(room)
        turn, answer = (self.get_body_argument(part, "") for part in ("turn", "answer"))
        try:
            room.vote(person, turn, answer, self.request.remote_ip or "")
            self.rooms.stirred(room)
        except Refused as error:
            if self.wants_json:
                return self.refuse(error)
        if not self.wants_json:
            return self.redirect(f"../{room.code}", status=303)
        says = "Counted. You can change it until it closes."
        self.finish({"mine": room.answers.get(person), "says": says})


class Question(Handler):
    """A question from the room."""

    def post(self, code: str) -> None:
        """Keep it for the presenter."""
        room = self.room(code)
        try:
            room.question(self.person(room), self.get_body_argument("text", ""))
            self.rooms.stirred(room)
        except Refused as error:
            if self.wants_json:
                return self.refuse(error)
        if not self.wants_json:
            return self.redirect(f"../{room.code}", status=303)
        self.finish({"says": "Thank you. The lecturer reads it, and may show it to all."})
