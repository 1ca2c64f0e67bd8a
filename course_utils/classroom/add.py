"""Add an instructor's own exercise to a term: tried first, then copied, then written down."""

from __future__ import annotations

import itertools
import math
import re
import tomllib
from pathlib import Path

from course_utils.checks.exercise import Exercise
from course_utils.checks.find_exercise import places
from course_utils.checks.own_exercise import faults_in, read_own
from course_utils.checks.reserved import reserve
from course_utils.checks.yours import in_words, with_numbers
from course_utils.classroom.term import EXERCISES, FILE, Term, read_term
from course_utils.files import write_whole

MOST_VARIANTS = 300
NUMBER = re.compile(r"own\.([1-9]\d*)")


def add_exercise(folder: Path, file: Path, lecture: str, reserved: bool) -> str:
    """Put an exercise into a term's folder and its file; return what to do next."""
    if not file.is_file():
        raise FileNotFoundError(f"there is no file {file}")
    term, exercise = read_term(folder), read_own(file)
    name = _refuse_unfit(term, exercise, lecture)
    _refuse_unfit_variants(exercise, reserved)
    if faults := _faults(exercise):
        raise ValueError(f"{file.name}: {'; '.join(faults)}")
    if reserved:
        reserve(file)  # raises where its example says too little
    target, content = folder / EXERCISES / name, file.read_bytes()
    if target.exists() and target.read_bytes() != content:
        raise FileExistsError(f"{target} is another exercise: give this one another number")
    _write_down(folder / FILE, exercise.number, lecture, reserved)
    write_whole(target, content)
    kept = "its reference stays here" if reserved else "students get its reference, too"
    return (
        f"{target}: exercise {exercise.number} of lecture {lecture}, {kept}; now `course handout`"
    )


def _refuse_unfit(term: Term, exercise: Exercise, lecture: str) -> str:
    """Return the name of the exercise's file; refuse what would collide."""
    number = NUMBER.fullmatch(exercise.number)
    if not number:
        raise ValueError(f'own exercises are numbered "own.1" and so on, not {exercise.number!r}')
    if exercise.reserved:
        raise ValueError("this file is what students get: add the one with the reference")
    if exercise.number in term.own:
        raise ValueError(f"this term has an exercise {exercise.number}: take the next number")
    if lecture not in term.lectures:
        raise ValueError(f"lecture {lecture} is not in this term: {', '.join(term.lectures)} are")
    taken = {p.function: n for n, p in places().items() if p.lecture == lecture}
    if exercise.function in taken:
        raise ValueError(
            f"exercise {taken[exercise.function]} of that lecture is called {exercise.function}, "
            "too: one would hide the other, so rename yours"
        )
    return f"own_{number[1]}_{exercise.function}.py"


def _refuse_unfit_variants(exercise: Exercise, reserved: bool) -> None:
    """Refuse numbers by student that no check could judge."""
    if not exercise.variants:
        return
    if unknown := set(exercise.variants) - set(exercise.parameters):
        named = ", ".join(exercise.parameters)
        raise ValueError(f"no argument is called {min(unknown)!r}: there are {named}")
    if not reserved:
        raise ValueError("a check does not know whose numbers to take: add it with --reserved")
    if exercise.effect is not None:
        raise ValueError("numbers by student and an effect do not go together yet")
    if (count := math.prod(map(len, exercise.variants.values()))) > MOST_VARIANTS:
        raise ValueError(f"{count} variants are more than can be tried: at most {MOST_VARIANTS}")


def _faults(exercise: Exercise) -> list[str]:
    """Return what to mend: with the numbers of each student who may come."""
    found = faults_in(exercise)
    for values in itertools.product(*exercise.variants.values()) if exercise.variants else ():
        numbers = dict(zip(exercise.variants, values, strict=True))
        for fault in faults_in(with_numbers(exercise, numbers)):
            found.append(f"with {in_words(numbers)}: {fault}")
    return found


def _write_down(file: Path, number: str, lecture: str, reserved: bool) -> None:
    """Add a table at the end of the term's file; all that stands there stays."""
    text = file.read_text(encoding="utf-8").rstrip("\n")
    more = f'[own."{number}"]\nlecture = "{lecture}"\nreserved = {str(reserved).lower()}'
    added = f"{text}\n\n{more}\n"
    tomllib.loads(added)
    write_whole(file, added.encode())
