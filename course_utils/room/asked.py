"""What a room is asked, and what an answer to it means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from course_utils.numbers import read_number

LONGEST_WORDS = 200
LARGEST = 1e100  # beyond which a number is a joke


class Refused(Exception):
    """An answer that does not count; the message is for who sent it."""

    def __init__(self, status: int, says: str):
        super().__init__(says)
        self.status = status


class Asked(NamedTuple):
    """What a room is asked, as the deck or a tester wrote it."""

    name: str
    question: str
    options: list[str]
    kind: str  # choice, number or words
    unit: str

    @classmethod
    def read(cls, said: Mapping[str, Any]) -> Asked:
        """Return what was said, as far as it makes sense; refuse the rest."""
        options = said.get("options", [])
        texts = [said.get(part, "") for part in ("name", "question", "kind", "unit")]
        is_text = isinstance(options, list) and all(isinstance(x, str) for x in (*texts, *options))
        name, question, kind, unit = texts
        sizes = [len(name) <= 40, len(question) <= 1000, len(unit) <= 40] if is_text else [False]
        if not all(sizes) or kind not in ("choice", "number", "words"):
            raise Refused(400, "this cannot be asked")
        if (kind == "choice") != (2 <= len(options) <= 26) or max(
            map(len, options), default=0
        ) > 300:
            raise Refused(400, "a choice has 2 to 26 options, anything else none")
        return cls(name, question, options, kind, unit)

    def answer(self, text: str) -> int | float | str:
        """Return what an answer means: an option's place, a number, words; refuse nonsense."""
        text = text.strip()
        if self.kind == "choice":
            places = {f"#{at}": at for at in range(len(self.options))}
            places |= {option: at for at, option in enumerate(self.options)}
            if text not in places:
                raise Refused(422, "choose one of these")
            return places[text]
        if self.kind == "words":
            if not text or len(text) > LONGEST_WORDS:
                raise Refused(422, f"up to {LONGEST_WORDS} letters")
            return text
        number = read_number(text)
        if number is None or abs(number) > LARGEST:
            raise Refused(422, "one number, such as 0.001, 1e-3 or 1/1000")
        return number
