"""Answers to the exercises that are no formula: natural wrong ones, and right ones in other styles.

They were written beside the catalogue and many of them went into it, so the share of them that is
named says nothing about a learner's chances; that every one is refused does.
"""

from __future__ import annotations

from tests.checks.answers_as_text import read_all
from tests.checks.other_kinds import choices, right, wrong

WRONG = read_all((choices, wrong), "WRONG")
RIGHT = read_all((choices, right), "RIGHT")
