"""Mistakes as text: names, changes and what is told."""

from __future__ import annotations

import pytest

from course_utils.checks.exercise import Exercise
from course_utils.checks.mistakes import mistakes


def scaled(x: float, by: float) -> float:
    """Return x times by, plus one."""
    product = x * by
    return product + 1


def exercise(text: str) -> Exercise:
    return Exercise("9.1", "scale", scaled, lambda: [(1.0, 2.0)], mistakes(text), ("a", "b", "c"))


def test_each_name_has_its_changes_and_its_words():
    """Catches words that go to the mistake above, and a second change that is told, not made."""
    one, both = exercise("""
        divided
            x * by => x / by
            You divide: scaling multiplies,
            as in 2 * 3.

        both at once
            x * by => x / by &&
            + 1 =>
            You divide, and the 1 is missing.
    """).misconceptions
    assert (one.name, both.name) == ("divided", "both at once")
    assert one.message == "You divide: scaling multiplies, as in 2 * 3."
    assert both.message == "You divide, and the 1 is missing."
    assert (one.wrong(6.0, 3.0), both.wrong(6.0, 3.0)) == (3.0, 2.0)


@pytest.mark.parametrize(
    "text",
    [
        "divided\n    You divide.",
        "divided\n    x * by => x / by",
        "divided\n    x * by => x / by => x\n    You divide.",
        "divided\n    x * by => x / by &&\n    You divide.",
    ],
    ids=["no change", "no words", "two arrows", "a change announced"],
)
def test_a_mistake_without_its_change_or_its_words_is_refused(text):
    """Catches a learner who is told nothing, or the text of a change."""
    with pytest.raises(ValueError, match='needs a line "old => new"'):
        mistakes(text)
