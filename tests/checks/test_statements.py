"""Exercises about statements: reasons as text, one line each."""

from __future__ import annotations

import pytest

from course_utils.checks.judging.judge import judge
from course_utils.checks.statements import about_statements


def what_holds() -> dict[str, str]:
    return {"A": "shown", "B": "open"}


def exercise(reasons: str):
    return about_statements("9.1", "judge it", what_holds, reasons, ("where", "how", "all"))


def test_each_wrong_choice_hears_its_reason():
    """Catches a reason that goes to another statement, and a second line that is lost."""
    made = exercise("""
        A open: one run is enough,
            and there are two.
        B shown: nobody asked: it was not run.
    """)
    told = judge(made, lambda: {"A": "open", "B": "open"}).message
    assert told == "A: one run is enough, and there are two."
    both = {"A": "shown", "B": "shown"}
    assert "B: nobody asked: it was not run." in judge(made, lambda: both).message
    assert made.gives == 'a dict such as {"A": "open", ...}, one choice for each of A to B'


@pytest.mark.parametrize("line", ["A opened: no such choice", "A open", "open: of which one?"])
def test_a_reason_that_no_choice_meets_is_refused(line):
    """Catches a misspelt choice, whose reason nobody would ever see."""
    with pytest.raises(ValueError, match=r'9\.1.*written as "A open: why it is wrong"'):
        exercise(line)
