"""Which exercises are solved, over all lectures and restarts: a small file in the user's data.

`COURSE_PROGRESS` names another file, a relative path one in the home folder; "off" keeps nothing,
and no check mentions progress. The file names functions, not numbers: an exercise may move on its
page, its function stays.
"""

from __future__ import annotations

import html
from typing import NamedTuple

from IPython.display import display

from course_utils.checks.find_exercise import every_place, lecture_of
from course_utils.checks.progress_file import (
    HANDED_IN,
    SOLVED,
    NotKept,
    add,
    kept_in,
    progress_file,
)


class Progress(NamedTuple):
    """The numbers of all exercises of each lecture, and when each solved one was first solved."""

    lectures: dict[str, list[str]]  # "02" -> ["2.1", "2.2", ...]
    solved: dict[str, str]  # "2.1" -> "2026-03-14"
    problem: str = ""  # why it is unknown what is solved
    handed_in: frozenset[str] = frozenset()  # what waits for the instructor

    def of(self, lecture: str) -> tuple[int, int]:
        """Return how many of a lecture's exercises are solved, and how many there are."""
        numbers = self.lectures[lecture]
        return sum(number in self.solved for number in numbers), len(numbers)

    def in_short(self, number: str) -> str:
        """Return half a line: all, and the lecture of an exercise, or why nobody knows."""
        if self.problem:
            return self.problem
        done, there = (sum(column) for column in zip(*map(self.of, self.lectures), strict=True))
        lecture = lecture_of(number)
        here, of = self.of(lecture)
        waiting = f", {len(self.handed_in)} handed in" if self.handed_in else ""
        return f"{done} of {there} solved{waiting}; {lecture}: {here} of {of}"

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """Return one line per lecture and one for all."""
        rows = []
        for lecture, numbers in self.lectures.items():
            done, there = self.of(lecture)
            marks = "".join(map(self._mark, numbers))
            left = [number for number in numbers if self._mark(number) == "○"]
            following = f"   next: {left[0]}" if left else ""
            rows.append(f"{lecture:<5}{marks:<10} {done:>2} of {there}{following}")
        return [*rows, self.problem or self.in_short(self._any()).partition(";")[0]]

    def _mark(self, number: str) -> str:
        return "●" if number in self.solved else "◐" if number in self.handed_in else "○"

    def _any(self) -> str:
        return next(iter(self.lectures.values()))[0]

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>"


def read_progress() -> Progress:
    """Return what has been solved so far, and why nobody knows where it cannot be read."""
    lectures: dict[str, list[str]] = {}
    everything = every_place()
    for place in everything.values():
        lectures.setdefault(place.lecture, []).append(place.number)
    try:
        path = progress_file()
        kept = kept_in(path) if path else {SOLVED: {}, HANDED_IN: {}}
    except NotKept as why:
        return Progress(lectures, {}, str(why))
    names = {number: place.kept_as for number, place in everything.items()}
    solved = {n: kept[SOLVED][name] for n, name in names.items() if name in kept[SOLVED]}
    waiting = (n for n, name in names.items() if name in kept[HANDED_IN] and n not in solved)
    return Progress(lectures, solved, handed_in=frozenset(waiting))


def keep_solved(number: str) -> str:
    """Record that an exercise is solved; return half a line about all of them.

    Where that cannot be kept, the line says why: an answer is right all the same.
    """
    return _keep(number, SOLVED)


def keep_handed_in(number: str) -> str:
    """Record that an exercise waits for the instructor; return half a line about all of them."""
    return _keep(number, HANDED_IN)


def _keep(number: str, what: str) -> str:
    said, before = "", read_progress()
    if number not in (before.handed_in if what == HANDED_IN else before.solved):
        try:
            path = progress_file()
            said = add(path, every_place()[number].kept_as, what) if path else ""
        except NotKept as why:
            return str(why)
    return "; ".join(part for part in (said, in_short(number)) if part)


def in_short(number: str) -> str:
    """Return half a line about all exercises, nothing where no progress is kept."""
    found = read_progress()
    return found.in_short(number) if found.problem or progress_file() else ""


def progress() -> None:
    """Show which exercises of which lecture are solved."""
    display(read_progress())
