"""Which exercises are solved, over all lectures and restarts: a small file in the user's data.

`COURSE_PROGRESS` names another file; "off" keeps nothing, and no check speaks of progress.
The file names functions, not numbers: an exercise may move on its page, its function stays.
"""

from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

from IPython.display import display
from platformdirs import user_data_path

from course_utils.checks.find_exercise import all_exercises, find
from course_utils.files import write_whole

VERSION = 2
# What numbers of version 1 meant, where they mean something else now. The first four of lecture 01
# had two meanings: they count as unsolved.
BEFORE = {
    **dict.fromkeys(("1.1", "1.2", "1.3", "1.4"), ""),
    "2.4": "lag_of_silence",
    "2.5": "clip",
    "2.6": "fate_of_six",
    "2.7": "repaired_bptt",
    "3.2": "direct_path_gradient",
    "3.3": "latch_by_hand",
    "3.4": "matched_control",
    "3.5": "name_the_loops",
    "3.6": "bias_for_half_life",
    "4.2": "to_keeping",
    "4.3": "count_parameters",
    "4.4": "time_constant",
}


class Progress(NamedTuple):
    """The numbers of all exercises of each lecture, and when each solved one was first solved."""

    lectures: dict[str, list[str]]  # "02" -> ["2.1", "2.2", ...]
    solved: dict[str, str]  # "2.1" -> "2026-03-14"

    def of(self, lecture: str) -> tuple[int, int]:
        """Return how many of a lecture's exercises are solved, and how many there are."""
        numbers = self.lectures[lecture]
        return sum(number in self.solved for number in numbers), len(numbers)

    def in_short(self, number: str) -> str:
        """Return half a line: all, and the lecture of an exercise."""
        done, there = (sum(column) for column in zip(*map(self.of, self.lectures), strict=True))
        lecture = _lecture(number)
        here, of = self.of(lecture)
        return f"{done} of {there} solved; {lecture}: {here} of {of}"

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """Return one line a lecture and one for all."""
        rows = []
        for lecture, numbers in self.lectures.items():
            done, there = self.of(lecture)
            marks = "".join("●" if number in self.solved else "○" for number in numbers)
            left = [number for number in numbers if number not in self.solved]
            following = f"   next: {left[0]}" if left else ""
            rows.append(f"{lecture}   {marks:<10} {done:>2} of {there}{following}")
        return [*rows, self.in_short(self._any()).partition(";")[0]]

    def _any(self) -> str:
        return next(iter(self.lectures.values()))[0]

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>"


def progress_file() -> Path | None:
    """Return where progress is kept, None where it is not."""
    chosen = os.environ.get("COURSE_PROGRESS", "")
    if chosen.strip().lower() == "off":
        return None
    if chosen:
        return Path(chosen).expanduser()
    return user_data_path("recurrent-course") / "progress.json"


def read_progress() -> Progress:
    """Return what has been solved so far; a damaged file counts as empty."""
    lectures: dict[str, list[str]] = {}
    for number in all_exercises():
        lectures.setdefault(_lecture(number), []).append(number)
    path = progress_file()
    solved = _solved(path) if path else {}
    functions = {number: exercise.function for number, (_, exercise) in all_exercises().items()}
    return Progress(lectures, {n: solved[f] for n, f in functions.items() if f in solved})


def keep_solved(number: str) -> str:
    """Keep that an exercise is solved; return half a line about all of them.

    Where the file cannot be written, the line says why: an answer is right all the same.
    """
    path = progress_file()
    if path is None:
        return ""
    solved, function = _solved(path), find(number)[1].function
    if function not in solved:
        solved[function] = date.today().isoformat()
        try:
            _write(path, {"version": VERSION, "solved": solved})
        except OSError as error:
            return f"progress could not be kept: {error.strerror or type(error).__name__}"
    return in_short(number)


def in_short(number: str) -> str:
    """Return half a line about all exercises, nothing where no progress is kept."""
    return read_progress().in_short(number) if progress_file() else ""


def progress() -> None:
    """Show which exercises of which lecture are solved."""
    display(read_progress())


def _solved(path: Path) -> dict[str, str]:
    """Return when each function was first right, by its name."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        solved = found["solved"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}  # not there yet, or not what this wrote
    if not isinstance(solved, Mapping):
        return {}
    if found.get("version") == 1:
        now = {number: exercise.function for number, (_, exercise) in all_exercises().items()}
        solved = {(now | BEFORE).get(number, number): when for number, when in solved.items()}
    return {str(function): str(when) for function, when in solved.items() if function}


def _write(path: Path, content: dict) -> None:
    """Replace the file as a whole, so that a stop or a second kernel leaves no half of it."""
    write_whole(path, json.dumps(content, indent=1).encode())


def _lecture(number: str) -> str:
    return f"{int(number.partition('.')[0]):02d}"
