"""Exercise 4.7: judge what ten seeds at four rates allow."""

from __future__ import annotations

from course_utils.checks.statements import about_statements


def what_ten_seeds_allow() -> dict[str, str]:
    """Return what the table says of each statement."""
    return {
        "A": "shown",
        "B": "refuted",
        "C": "open",
        "D": "refuted",
        "E": "open",
        "F": "shown",
    }


EXERCISE = about_statements(
    "4.7",
    "judge what ten seeds at four rates allow",
    what_ten_seeds_allow,
    reasons="""
        A open: 'can' needs one case, and the first three rows have many.
        A refuted: the failures say that it need not. The runs that learn it say that it can.
        B shown: no entry of that row is 10.
        B open: 'every time' falls with one failure, and every column has one. This is settled.
        C shown: compare the two rows in that column as you would two coins of ten throws each. So
            small a difference comes about by luck every few tables.
        C refuted: what you see even leans towards it. Neither side can be read from ten runs each
            that lie so close.
        D shown: an Elman network has no gates. Look at its rows.
        D open: one run without gates that succeeds ends this sentence, and there are many.
        E shown: 'never' speaks of all seeds, all rates and any training; here are forty runs of 600
            updates. They make it unlikely within 600 updates, and say nothing of 60,000.
        E refuted: no run of this row learns it, so nothing here speaks against it. Nor do forty
            runs prove it.
        F open: compare the last row with the third, first in one column, then in another.
        F refuted: in one column the last row is far ahead of the third, in another far behind.
    """,
    hints=(
        "Look at the small words: can, every, harm, never. How many runs does each need to be "
        "shown, and how many to fall?",
        "'Can' is shown by one run, 'every' and 'without' fall with one run; 'does harm' and "
        "'never' speak of all seeds.",
        "Two each: two are shown, two refuted, two open.",
    ),
)
