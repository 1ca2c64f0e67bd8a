"""What was written for predictions: kept over restarts, in a small file beside the progress.

A show (`course present` sets COURSE_SHOW) begins with empty boxes and keeps its own guesses, so
that no wall shows what somebody wrote at home or last year.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from course_utils.checks.progress_file import NotKept, progress_file
from course_utils.files import HeldByAnother, only_writer, write_whole

LARGEST = 1 << 18  # bytes: all guesses of the course take some 5,000
LONGEST = 500  # letters of one guess
PATIENCE = 5.0  # seconds that another lecture has for its line


class Guesses:
    """The guesses of this kernel, and of those before it in the same show or by the same person."""

    def __init__(self) -> None:
        self._written: dict[str, str] | None = None

    @property
    def written(self) -> dict[str, str]:
        """Return every guess by the name of its prediction; the file is read once."""
        if self._written is None:
            self._written = {}
            with suppress(OSError, NotKept):  # `keep` tells of it, when there is something to lose
                if file := _file():
                    self._written |= _own_part(_content(file))
        return self._written

    def of(self, name: str) -> str:
        """Return what was written for a prediction, or nothing."""
        return self.written.get(name, "")

    def keep(self, name: str, guess: str) -> str:
        """Keep a guess; return why a restart will lose it, empty when it will not."""
        guess = guess.strip()[:LONGEST]
        if guess == self.of(name):
            return ""
        self.written[name] = guess
        try:
            file = _file()
            if file is not None:
                _add(file, name, guess)
        except (OSError, HeldByAnother, NotKept) as error:
            return f"a restart will lose it ({error})"
        return ""


def _file() -> Path | None:
    progress = progress_file()
    return progress and progress.with_name(f"{progress.stem}.guesses.json")


def _content(file: Path) -> dict[str, object]:
    """Return what the file holds, nothing where there is none; refuse what is not ours."""
    if not file.exists():
        return {}
    is_ours = file.is_file() and file.stat().st_size <= LARGEST
    try:
        content = json.loads(file.read_bytes()) if is_ours else None
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise NotKept(f"{file} holds something else: move it away")
    return content


def _own_part(content: dict[str, object]) -> dict[str, str]:
    """Return the guesses of this show, or of the person who works alone."""
    show = os.environ.get("COURSE_SHOW", "")
    part = content.get("show" if show else "own")
    if show and content.get("of_show") != show:
        return {}
    texts = part if isinstance(part, dict) else {}
    return {name: text for name, text in texts.items() if isinstance(text, str)}


def _add(file: Path, name: str, guess: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with only_writer(file.with_name(f".{file.name}.lock"), PATIENCE):
        content = _content(file)
        part = {**_own_part(content), name: guess}
        show = os.environ.get("COURSE_SHOW", "")
        new = {"of_show": show, "show": part} if show else {"own": part}
        write_whole(file, json.dumps({**content, **new}, indent=1).encode())
