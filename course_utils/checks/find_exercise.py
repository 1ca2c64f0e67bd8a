"""Find an exercise by its number: its file says number and function, and is loaded when needed.

`exercises/ex02_gradients/e2_6_repaired_bptt.py` holds exercise 2.6, the function `repaired_bptt`.
An instructor's own are numbered own.1 and so on, and never collide with ours.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from course_utils.checks import exercises as package
from course_utils.checks.exercise import Exercise
from course_utils.checks.own_exercise import own_files, own_folder, read_own

OWN = "own"  # in place of a lecture
FOLDER = Path(package.__file__ or "").parent
NAME = re.compile(r"e(\d+)_(\d+)_(\w+)")
OWN_NAME = re.compile(r"(own)_(\d+)_(\w+)")


class Place(NamedTuple):
    """Where an exercise lies."""

    number: str  # "2.6"
    function: str  # that the learner writes
    file: Path

    @property
    def module(self) -> str:
        """Return the lecture's name in solutions/, such as "ex02_gradients"."""
        return OWN if self.lecture == OWN else self.file.parent.name

    @property
    def lecture(self) -> str:
        """Return the lecture, such as "02", or "own"."""
        return lecture_of(self.number)

    @property
    def kept_as(self) -> str:
        """Return its name in the progress file: own functions may share names with ours."""
        return f"{OWN}.{self.function}" if self.lecture == OWN else self.function

    def load(self) -> Exercise:
        """Return the exercise; refuse a file whose name says something else."""
        if self.lecture == OWN:
            exercise = read_own(self.file)
        else:
            name = f"{package.__name__}.{self.module}.{self.file.stem}"
            exercise = importlib.import_module(name).EXERCISE
        if (exercise.number, exercise.function) != (self.number, self.function):
            said = f"exercise {exercise.number}, {exercise.function}"
            raise ValueError(f"{self.file.name} holds {said}: its name should say so")
        return exercise


@cache
def places() -> dict[str, Place]:
    """Return where every exercise of the course lies, by number, in the order of the lectures."""
    return {place.number: place for place in _places(NAME, FOLDER.glob("ex??_*/e*.py"))}


def every_place() -> dict[str, Place]:
    """Return where ours lie, then an instructor's own."""
    return places() | {place.number: place for place in _places(OWN_NAME, own_files())}


def _places(name: re.Pattern[str], files: Iterable[Path]) -> list[Place]:
    """Return the files that are named as exercises are, by their numbers."""
    found = [(match, file) for file in files if (match := name.fullmatch(file.stem))]
    found.sort(key=lambda one: (one[0][1].zfill(2), int(one[0][2])))
    return [Place(f"{match[1]}.{match[2]}", match[3], file) for match, file in found]


def lecture_of(number: str) -> str:
    """Return the lecture of a number such as "2.6", with two digits."""
    return number.partition(".")[0].zfill(2)


def all_exercises() -> dict[str, tuple[str, Exercise]]:
    """Return every exercise of the course and its lecture's module by number."""
    return {number: (place.module, place.load()) for number, place in places().items()}


def find(number: str) -> tuple[str, Exercise]:
    """Return the lecture's module and the exercise of a number such as "2.1"."""
    if not isinstance(number, str | int | float):  # 2.1 without quotes will do
        raise ValueError(f'an exercise has a number such as "2.1", not a {type(number).__name__}')
    number = str(number)
    place = _own(number) if lecture_of(number) == OWN else places().get(number)
    if place:
        return place.module, place.load()
    known = ", ".join(every_place())
    where = f", and own exercises lie in {own_folder()}" if lecture_of(number) == OWN else ""
    raise ValueError(f"there is no exercise {number!r}: there are {known}{where}")


def _own(number: str) -> Place | None:
    """Return an instructor's exercise; refuse a number that two files have."""
    found = [place for place in _places(OWN_NAME, own_files()) if place.number == number]
    if len(found) > 1:
        names = " and ".join(place.file.name for place in found)
        raise ValueError(f"{names} are both exercise {number}: give one another number")
    return found[0] if found else None
