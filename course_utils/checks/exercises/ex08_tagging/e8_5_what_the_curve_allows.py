"""Exercise 8.5: what does the curve allow?"""

from __future__ import annotations

from course_utils.checks.statements import about_statements


def what_the_curve_allows() -> dict[str, str]:
    """Return what the curve of lecture 08's exercise 8.5 says of each statement."""
    return {"A": "shown", "B": "open", "C": "refuted", "D": "open", "E": "open"}


EXERCISE = about_statements(
    "8.5",
    "what does the curve allow?",
    what_the_curve_allows,
    reasons="""
        A open: the intervals at 50 labels lie far apart.
        A refuted: at 50 labels the curve that has read first is the upper one.
        B shown: at 5,000 labels the intervals overlap. That is not a proof that there is no
            difference, nor that there is one.
        B refuted: overlapping intervals refute no difference either.
        C shown: compare the upper curve at 200 with the lower one at 1,000.
        C open: .86 stands against .82, and the two intervals, .84 to .88 and .80 to .84, no more
            than touch: the table says that 200 labels after reading are worth more, not less.
        D shown: nothing beyond 5,000 was run.
        D refuted: nothing beyond 5,000 was run, so nothing there is refuted.
        E shown: one task was run. Another one may share less with the text that was read.
        E refuted: one task was run; it cannot speak for another, nor against it.
    """,
    hints=(
        "Which statements are about points of the curve, and which about others?",
        "What was not run is open. Intervals that overlap settle nothing either way: with paired "
        "seeds, ask for the interval of the differences.",
        "One is shown, one is refuted, three are open.",
    ),
)
