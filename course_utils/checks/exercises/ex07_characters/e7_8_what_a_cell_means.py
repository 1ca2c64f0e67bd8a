"""Exercise 7.8: what does the evidence allow?"""

from __future__ import annotations

from course_utils.checks.statements import about_statements


def what_a_cell_means() -> dict[str, str]:
    """Return what the measurements say of each statement."""
    return {
        "A": "shown",
        "B": "open",
        "C": "refuted",
        "D": "open",
        "E": "refuted",
    }


EXERCISE = about_statements(
    "7.8",
    "what does the evidence allow?",
    what_a_cell_means,
    reasons="""
        A refuted: its area on text that did not choose it is far above the best that luck found.
        A open: 'can be read' asks for no more than an area on new text, above luck. Both were
            measured.
        B shown: 'needs' asks what happens without the cell. An area is measured with it in place.
        B refuted: nothing was held or silenced in this table.
        C shown: look at the last row: most units follow no label.
        C open: the last row counts them, and one that follows nothing is enough.
        D shown: the labels are ours. What we did not ask for may be what it says.
        D refuted: following none of our labels is no proof of a meaning either.
        E shown: the n-gram's row is at chance beyond its memory.
        E open: its row was measured, at distances beyond its memory: chance.
    """,
    hints=(
        "Look at the small words: can be read, needs, every, nothing.",
        "'Every' falls with one case; what was not tried stays open.",
        "One is shown, two are refuted, two are open.",
    ),
)
