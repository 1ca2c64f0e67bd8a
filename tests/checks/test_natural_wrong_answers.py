"""Most wrong answers that learners give by nature meet a word of their own, not only "off"."""

from __future__ import annotations

import pytest

from course_utils.checks.find_exercise import all_exercises
from course_utils.checks.judging.judge import judge
from tests.checks.natural_wrong_answers import WRONG

LEAST = 0.85  # of the whole list; 26 % met one when the list was written
EXERCISES = all_exercises()
KINDS: dict[str, list[str]] = {}


@pytest.mark.parametrize("number", sorted(WRONG))
def test_no_wrong_answer_is_right(number):
    """Catches a check that is content with too little, and an answer that misspells a name."""
    verdicts = [judge(EXERCISES[number][1], answer) for answer in WRONG[number]]
    KINDS[number] = [verdict.kind for verdict in verdicts]
    assert "ok" not in KINDS[number]
    assert not [verdict.message for verdict in verdicts if "NameError" in verdict.message]


def test_most_are_named():
    """Catches a catalogue that says what its authors do, not what learners do."""
    for number in set(WRONG) - set(KINDS):  # when this test runs alone
        test_no_wrong_answer_is_right(number)
    kinds = [kind for number in WRONG for kind in KINDS[number]]
    assert len(kinds) >= 150
    named = kinds.count("misconception") / len(kinds)
    print(f"{named:.0%} of {len(kinds)} natural wrong answers meet a named misconception")
    assert named >= LEAST
