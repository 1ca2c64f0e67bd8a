"""The note that leads this person's own JupyterLab to the room: its address and its key.

The room writes it, JupyterLab reads it; nothing leads the other way.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

from platformdirs import user_data_path

from course_utils.files import replacing

LARGEST = 4096  # bytes


class NotOurs(FileExistsError):
    """Another file lies where the note should."""


class Whereabouts(NamedTuple):
    """What the presenter's side must know of a room."""

    desk: str  # the address that the presenter's JupyterLab asks, without the code
    address: str  # the one that phones ask, as the wall shows it
    code: str
    key: str


def note_file() -> Path:
    """Return where the note lies; COURSE_ROOM_NOTE names another place."""
    chosen = os.environ.get("COURSE_ROOM_NOTE", "")
    return Path(chosen) if chosen else user_data_path("recurrent-course") / "room.json"


def leave_note(where: Whereabouts) -> Path:
    """Write the note, for nobody else's eyes."""
    file = note_file()
    if file.exists() and read_note() is None:
        raise NotOurs(f"{file} is not the note of a room: name another file in COURSE_ROOM_NOTE")
    with replacing(file) as partial:
        handle = os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with open(handle, "wb") as note:
            note.write(json.dumps(where._asdict()).encode())
    return file


def read_note() -> Whereabouts | None:
    """Return what the note says, None where there is none."""
    file = note_file()
    if not file.is_file() or file.stat().st_size > LARGEST:
        return None
    try:
        said = json.loads(file.read_bytes())
        return Whereabouts(*(str(said[field]) for field in Whereabouts._fields))
    except (ValueError, KeyError, TypeError):
        return None


def take_away(where: Whereabouts) -> None:
    """Delete the note, if it still leads to this room."""
    if read_note() == where:
        note_file().unlink(missing_ok=True)
