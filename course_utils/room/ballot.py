"""A room: who is there, what it is asked, what it answers. All in memory, and every part bounded.

A person is a random word in a cookie, signed so that nobody can make one up; it is forgotten with
the vote. No name, no address, no time of an answer is kept.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from course_utils.room.asked import Asked, Refused

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # no vowels: no words; nothing that looks like a digit
MOST_PEOPLE = 3000  # who may answer one question
MOST_PREDICTIONS = 100  # whose answers are kept
MOST_QUESTIONS = 100  # from the room
LONGEST_QUESTION = 300
PRESENT = 60.0  # seconds since a phone was last heard of
VOTES_AT_ONCE, SECONDS_A_VOTE = 5, 0.5
SECONDS_A_QUESTION = 15.0


class Room:
    """One room: its code for phones, its key for the presenter, its votes."""

    def __init__(self, per_address: int = 0, clock: Callable[[], float] = time.monotonic) -> None:
        self.code = "".join(secrets.choice(LETTERS) for _ in range(4))
        self.key = secrets.token_urlsafe(24)
        self.clock = clock
        self.wanted = clock()  # when the presenter's side was last heard of
        self._per_address = per_address  # voters, 0: as many as there are
        self._origins: dict[str, set[str]] = {}
        self._secret = secrets.token_bytes(32)
        self._people: OrderedDict[str, float] = OrderedDict()  # when each was last heard of
        self._spent: OrderedDict[str, float] = OrderedDict()  # until when each has used its votes
        self._questioned: OrderedDict[str, float] = OrderedDict()
        self.asked: Asked | None = None
        self.is_open = False
        self.turn = 0  # of the question, for the phones: grows when it opens or closes
        self.answers: dict[str, int | float | str] = {}
        self.rounds: OrderedDict[str, tuple[Asked, list[dict[str, object]]]] = OrderedDict()
        self.questions: list[dict[str, object]] = []
        self.closed: Callable[[Asked, dict[str, object]], object] = lambda asked, closed: None
        self.changes = 0  # of anything that the presenter sees

    def new_person(self) -> str:
        """Return the word for a cookie; nothing is kept of it until its owner says something."""
        word = secrets.token_hex(12)
        return word + self._signed(word)

    def is_person(self, word: str) -> bool:
        """Return whether a word is one of ours."""
        signed = self._signed(word[:24])
        return len(word) == 24 + len(signed) and hmac.compare_digest(
            word[24:].encode(), signed.encode()
        )

    def _signed(self, word: str) -> str:
        return hmac.digest(self._secret, word.encode(), "sha256").hex()[:24]

    def heard_of(self, person: str) -> bool:
        """Note that somebody is there; return whether they are new."""
        is_new = person not in self._people
        self.changes += is_new
        _note(self._people, person, self.clock())
        return is_new

    @property
    def people(self) -> int:
        """Return how many have been heard of just now."""
        since = self.clock() - PRESENT
        while self._people and next(iter(self._people.values())) < since:
            self._people.popitem(last=False)
        return len(self._people)

    def open(self, asked: Asked) -> None:
        """Begin a vote; a second one on the same prediction stands beside the first."""
        self.asked, self.answers, self._origins, self.is_open = asked, {}, {}, True
        self.turn += 1
        self.changes += 1

    def close(self) -> dict[str, object] | None:
        """End the vote; keep its answers without their owners, and return them."""
        if not self.asked or not self.is_open:
            return None
        self.is_open = False
        self.turn += 1
        self.changes += 1
        closed, self.answers, self._origins = self.round(), {}, {}
        if counted(closed):
            _, before = self.rounds.pop(self.asked.name, (self.asked, []))
            self.rounds[self.asked.name] = (self.asked, [*before[:1], closed])
            while len(self.rounds) > MOST_PREDICTIONS:
                self.rounds.popitem(last=False)
            self.closed(self.asked, closed)
        return closed

    def round(self) -> dict[str, object]:
        """Return the answers of the vote so far, in no order that tells who gave them when."""
        asked, answers = self.asked, [*self.answers.values()]
        if asked and asked.kind == "choice":
            found = Counter(answers)
            return {"counts": [found[at] for at in range(len(asked.options))]}
        answers.sort(key=str) if asked and asked.kind == "words" else answers.sort()
        return {"words" if asked and asked.kind == "words" else "numbers": answers}

    def vote(self, person: str, turn: str, text: str, origin: str = "") -> None:
        """Count an answer, in place of an earlier one by the same person."""
        if not self.is_person(person):
            raise Refused(403, "load this page again, and allow its cookie")
        self.heard_of(person)
        self._brake(person)
        if not self.asked or not self.is_open or turn != str(self.turn):
            raise Refused(409, "this vote is closed")
        answer = self.asked.answer(text)
        if person not in self.answers and len(self.answers) >= MOST_PEOPLE:
            raise Refused(503, "the room is full")
        self._limit(person, origin)
        self.answers[person] = answer
        self.changes += 1

    def _limit(self, person: str, origin: str) -> None:
        """Refuse more voters from one address than were allowed; of it only a sign is kept."""
        if self._per_address and person not in self.answers:
            voters = self._origins.setdefault(self._signed(f"address {origin}"), set())
            if len(voters) >= self._per_address:
                raise Refused(429, "too many have voted from your address")
            voters.add(person)

    def _brake(self, person: str) -> None:
        now = self.clock()
        spent = max(self._spent.get(person, 0), now - VOTES_AT_ONCE * SECONDS_A_VOTE)
        if spent + SECONDS_A_VOTE > now:
            raise Refused(429, "a moment, please")
        _note(self._spent, person, spent + SECONDS_A_VOTE)

    def question(self, person: str, text: str) -> None:
        """Keep what somebody asks, for the presenter's eyes."""
        if not self.is_person(person):
            raise Refused(403, "load this page again, and allow its cookie")
        text = " ".join(text.split())
        if not text or len(text) > LONGEST_QUESTION:
            raise Refused(422, f"up to {LONGEST_QUESTION} letters")
        now = self.clock()
        if now < self._questioned.get(person, -SECONDS_A_QUESTION) + SECONDS_A_QUESTION:
            raise Refused(429, "one question at a time: wait a moment")
        if len(self.questions) >= MOST_QUESTIONS:
            raise Refused(503, "too many questions are waiting")
        _note(self._questioned, person, now)
        self.changes += 1
        self.questions.append({"id": self.changes, "text": text})

    def drop_question(self, number: object) -> None:
        """Forget a question from the room."""
        self.changes += 1
        self.questions = [asked for asked in self.questions if asked["id"] != number]

    def for_phones(self, person: str) -> dict[str, object]:
        """Return what a phone may know: the question and its own answer, nobody else's."""
        asked = self.asked._asdict() if self.asked else {"question": ""}
        mine = self.answers.get(person)
        return {**asked, "turn": self.turn, "open": self.is_open, "mine": mine}

    def for_presenter(self) -> dict[str, object]:
        """Return what the presenter may know: how many, and how; of nobody."""
        asked = self.asked._asdict() if self.asked else None
        return {
            "seen": str(self.changes),
            "asked": asked,
            "open": self.is_open,
            "people": max(self.people, len(self.answers)),
            "answers": len(self.answers),
            "round": self.round(),
            "questions": self.questions,
        }


def counted(closed: Mapping[str, Any]) -> int:
    """Return how many answers a vote has."""
    return sum(closed["counts"]) if "counts" in closed else len(next(iter(closed.values())))


def _note(known: OrderedDict[str, float], person: str, when: float) -> None:
    """Note a time for somebody, the latest at the end; forget who was noted longest ago."""
    known[person] = when
    known.move_to_end(person)
    if len(known) > MOST_PEOPLE:
        known.popitem(last=False)
