"""Exercise 5.4: judge what a table of three networks shows."""

from __future__ import annotations

from course_utils.checks.statements import about_statements


def what_is_shown() -> dict[str, str]:
    """Return what the table says of each statement."""
    return {"A": "refuted", "B": "open", "C": "shown", "D": "open", "E": "shown", "F": "refuted"}


EXERCISE = about_statements(
    "5.4",
    "judge what a table of three networks shows",
    what_is_shown,
    reasons="""
        A shown: Q accepts 431 texts that do not belong. A recogniser must say no.
        A open: one wrong text that is accepted would be enough, and there are 431.
        B shown: nobody asked R for a near miss. It may say yes to everything.
        B refuted: nothing in R's row went wrong. It is not known, not false.
        C open: the sentence speaks of the 600 texts alone, and all were asked.
        C refuted: look at the row of P again: 100 of 100 and 0 of 500.
        D shown: no text above n = 100 was asked for. Counters drift.
        D refuted: no text above n = 100 was asked for, so none was wrong either.
        E refuted: whoever always says yes accepts every member: 100 of 100.
        E open: no experiment is needed: whoever always says yes accepts all 100.
        F shown: 100 times 0.5 is 50, and no cell of R is larger than 1.
        F open: a cell that adds 0.5 a letter would stand at 50 after a^100.
    """,
    hints=(
        "Who accepts members does one half of the work. What is the other half, and for whom was "
        "it asked?",
        "Look at the words: 'the 600 texts', 'recognises', 'n = 1,000'. Which numbers of the table "
        "speak of each?",
        "Two each: two are shown, two refuted, two open.",
    ),
)
