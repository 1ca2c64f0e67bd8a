"""Answers to the exercises that are no formula: natural wrong ones, and right ones in other styles.

They were written beside the catalogue and many of them went into it, so the share of them that is
named says nothing about a learner's chances; that every one is refused does.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.checks.other_kinds import (
    lecture_02,
    lecture_03,
    lecture_04,
    lecture_05,
    lecture_06,
    lecture_07,
    lecture_08,
    lecture_10,
)

LECTURES = (
    lecture_02,
    lecture_03,
    lecture_04,
    lecture_05,
    lecture_06,
    lecture_07,
    lecture_08,
    lecture_10,
)
WRONG: dict[str, list[Callable]] = {n: a for lecture in LECTURES for n, a in lecture.WRONG.items()}
RIGHT: dict[str, list[Callable]] = {n: a for lecture in LECTURES for n, a in lecture.RIGHT.items()}
