"""Exercise 10.3: which comparison is fair?"""

from __future__ import annotations

from course_utils.checks.statements import about_statements


def which_is_fair() -> dict[str, str]:
    """Return which of six comparisons show that context, and nothing else, helps."""
    return {name: "fair" if name == "F" else "unfair" for name in "ABCDEF"}


EXERCISE = about_statements(
    "10.3",
    "which comparison is fair?",
    which_is_fair,
    reasons="""
        A fair: ELMo has read two million words more than the baseline. That text alone could be the
            reason.
        B fair: one vector may be better because it was made from a thousand times as much text,
            whether or not it knows a context.
        C fair: same text, same width, many seeds, and still two things differ. A table has nothing
            for a word that it does not list, and ELMo spells every word: letters may be the reason.
        D fair: the best of five against one run wins by luck alone.
        E fair: the answers to the test were learned by both sides. What is asked then is memory.
        F unfair: same model, same text, same letters, same width, many seeds: what differs is
            whether a vector knows its sentence.
    """,
    hints=(
        "Ask of each pair: what else is different, besides context?",
        "Text that was read, letters, seeds, a test that was learned: each could win alone.",
        "Only one of the six is fair.",
    ),
    choices=("fair", "unfair"),
)
