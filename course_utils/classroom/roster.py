"""Everybody in a class: a CSV of ids and names, Canvas's gradebook or Moodle's grading worksheet.

The last two are filled in and go back as they came: their columns are what they import.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from course_utils.classroom.collect import same_name
from course_utils.classroom.spreadsheet import read_table

IDS = ("identifier", "id", "student", "student id", "user id", "sis user id", "login", "email",
       "email address")  # fmt: skip
NAMES = ("name", "student name", "full name", "student")
LOGINS = ("login", "sis login id", "username", "email", "email address")  # that she knows herself
SUBMITTED = ("submitted", "last modified (submission)")
PARTICIPANT = re.compile(r"\D*(\d+)")  # Moodle's "Participant 4711", in any language
MOMENTS = ("%A, %d %B %Y, %I:%M %p", "%A, %B %d, %Y, %I:%M %p")  # as Moodle writes them


@dataclass(frozen=True)
class Roster:
    """Who is in the class, by id."""

    names: Mapping[str, str] = field(default_factory=dict)
    logins: Mapping[str, str] = field(default_factory=dict)
    moments: Mapping[str, datetime] = field(default_factory=dict)  # of handing in, where it says
    head: Sequence[str] = ()
    rows: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # as they came

    def has(self, *columns: str) -> bool:
        """Return whether it came with these columns."""
        return set(columns) <= set(self.head)

    def login(self, student: str) -> str:
        """Return what a student types to say who she is."""
        return self.logins.get(student) or student


def read_roster(file: Path) -> Roster:
    """Return everybody of a CSV with a head."""
    head, rows = read_table(file, IDS)
    key = _column(head, IDS)
    if key is None:
        raise ValueError(f"{file} has no column for the student: one of {', '.join(IDS)}")
    by_id = {_id(key, row[key]): row for row in rows if row[key].strip()}
    return Roster(
        dict.fromkeys(by_id, "") | _texts(by_id, _column(head, NAMES) or key),
        _texts(by_id, _column(head, LOGINS)),
        _moments(_texts(by_id, _column(head, SUBMITTED))),
        head,
        by_id,
    )


def _column(head: Sequence[str], wanted: Sequence[str]) -> str | None:
    """Return the first of the wanted columns that is there, as it is written there."""
    there = {name.strip().lower(): name for name in head}
    return next((there[name] for name in wanted if name in there), None)


def _id(column: str, text: str) -> str:
    match = PARTICIPANT.fullmatch(text.strip())
    return match[1] if match and column.strip().lower() == "identifier" else same_name(text)


def _texts(rows: Mapping[str, Mapping[str, str]], column: str | None) -> dict[str, str]:
    if column is None:
        return {}
    return {who: text for who, row in rows.items() if (text := row[column].strip())}


def _moments(texts: Mapping[str, str]) -> dict[str, datetime]:
    """Return moments as they are written, without a time zone where none is said."""
    found = {}
    for who, text in texts.items():
        with suppress(ValueError):  # "-": nothing was handed in
            found[who] = datetime.fromisoformat(text)
        for form in MOMENTS:
            with suppress(ValueError):
                found[who] = datetime.strptime(text, form)
    return found
