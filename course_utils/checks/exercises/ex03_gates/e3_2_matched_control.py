"""Exercise 3.2: choose the places to compare with: as many, unmarked, at the same positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any

from course_utils.checks.exercise import Exercise


def matched_control(marks: list[bool], position: list[int]) -> set[int]:
    """Return one unmarked place for every marked one, at the same position in its sentence."""
    chosen: set[int] = set()
    for place, marked in enumerate(marks):
        if marked:
            free = (k for k, other in enumerate(marks) if not other and k not in chosen)
            chosen.add(next(k for k in free if position[k] == position[place]))
    return chosen


def _places(sentences: tuple[int, ...], marked: tuple[int, ...]) -> tuple[list[bool], list[int]]:
    """Return marks and positions of a text whose marks prefer the beginnings of sentences."""
    position = [place for length in sentences for place in range(length)]
    return [place in marked for place in range(len(position))], position


def _positions_of_marks(marks: list[bool], position: list[int]) -> Counter[int]:
    return Counter(position[k] for k, marked in enumerate(marks) if marked)


def _fits(places: Collection[Any], marks: list[bool], position: list[int]) -> bool:
    """Return whether these are as many unmarked places, each once, at the marks' positions."""
    free = {k for k, marked in enumerate(marks) if not marked}
    if len({*places}) < len(places) or not {*places} <= free:
        return False
    return Counter(position[int(k)] for k in places) == _positions_of_marks(marks, position)


def _choice_of_places(places: Collection[Any], marks: list[bool], position: list[int]) -> str:
    """Return what a choice of control places is: `as asked`, or its first fault."""
    places = list(places)
    if len(places) == len(marks) and all(isinstance(k, bool) for k in places):
        return "a mask"
    if not all(isinstance(k, int | float) and int(k) == k for k in places):
        return "no places"
    if _fits([k - 1 for k in places], marks, position):
        return "from one"
    at_marks = {position[k] for k, marked in enumerate(marks) if marked}
    if {*places} == at_marks and not _fits(places, marks, position):
        return "positions"
    if not all(0 <= k < len(marks) for k in places):
        return "outside"
    if len({*places}) < len(places):
        return "twice"
    if any(marks[int(k)] for k in places):
        return "marked"
    if _fits(places, marks, position):
        return "as asked"
    wanted, found = _positions_of_marks(marks, position), Counter(position[int(k)] for k in places)
    if not places:
        return "nothing"
    if len(places) == len(marks) - sum(marks):
        return "all others"
    if found.total() > wanted.total() and {*found} == {*wanted}:
        return "all of the position"
    if found.total() < wanted.total() and not found - wanted:
        return "too few"
    return "other positions"


EXERCISE = Exercise(
    number="3.2",
    task="choose the places to compare with: as many, unmarked, at the same positions",
    kind="design",
    reference=matched_control,
    takes="marks: a list of True and False, one a word; position: a list of whole numbers, "
    "the word's place in its sentence",
    gives="a set of places in the lists, as many as there are marks",
    example=_places((3, 2), (3,)),
    cases=lambda: [
        _places((3, 3, 2), (0, 4)),
        _places((5, 4, 6, 3, 5, 4), (0, 5, 9, 10)),
        _places((7, 2, 5, 5, 3, 6, 4, 2), (0, 1, 9, 14, 20)),
    ],
    effect=_choice_of_places,
    reasons={
        "a mask": "You return True or False for every word. You need the places "
        "themselves: {k for k in range(len(marks)) if ...}.",
        "no places": "These are no places. A place is a whole number k, as in marks[k].",
        "from one": "The right words, counted from 1. Places start at 0: the first word is "
        "marks[0].",
        "positions": "These are the marked words' positions in their sentences. You need "
        "places in the text: the k of marks[k] and position[k].",
        "outside": "One of your places is not in the text: they run from 0 to len(marks) - 1.",
        "twice": "One place stands in it twice. The same word counted twice is no second "
        "witness: every mark needs a word of its own.",
        "marked": "Your control holds marked words. What has X cannot show how the unit "
        "behaves without it.",
        "nothing": "Your control is empty. Every mark needs a word to be compared with.",
        "all others": "You take every unmarked word. Marks stand where sentences begin and "
        "these words do not: a unit that only tells the position would seem to track X.",
        "all of the position": "The positions are right, the numbers are not. A position with "
        "many unmarked words counts more here than among the marks: take one for each mark.",
        "too few": "Some marks have no partner. One mark, one word at its position.",
        "other positions": "Your words stand at other positions in their sentences than the "
        "marked ones. A unit that only tells the position would seem to track X.",
    },
    hints=(
        "What else is different at a mark? The unit may hear that instead of X. Choose words for "
        "which it is the same.",
        "For every marked place look for an unmarked one with the same position that you have not "
        "taken yet.",
        "for each marked m: the first k with not marks[k], position[k] == position[m] and k not in "
        "chosen; then chosen.add(k).",
    ),
    misconceptions=(),
)
