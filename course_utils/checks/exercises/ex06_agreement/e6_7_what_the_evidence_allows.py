"""Exercise 6.7: what does the evidence allow?"""

from __future__ import annotations

from course_utils.checks.statements import about_statements


def what_the_evidence_allows() -> dict[str, str]:
    """Return what the four measurements say of each statement."""
    return {
        "A": "shown",
        "B": "refuted",
        "C": "refuted",
        "D": "refuted",
        "E": "open",
        "F": "open",
    }


EXERCISE = about_statements(
    "6.7",
    "what does the evidence allow?",
    what_the_evidence_allows,
    reasons="""
        A refuted: both of the small network's rows speak for it.
        A open: silenced, it costs answers; moved, it moves the verb. That is what 'takes part'
            means.
        B shown: look at the wide network: no unit costs as much there.
        B open: 'every' falls with one network, and the wide one is it.
        C shown: in the wide network the unit that can be read does not cost anything when it is
            lost: another one knows the same.
        C open: one unit that is read and costs nothing settles it, and the third row has one.
        D shown: the Elman network has no gates. Look at its row.
        D open: one network without gates that agrees ends this sentence.
        E shown: nobody here has looked at a network that read real English.
        E refuted: a small grammar cannot speak against it either.
        F shown: agreeing needs a number, not a meaning. The table asks for no more.
        F refuted: nothing in the table asks what a word means.
    """,
    hints=(
        "Look at the small words: takes part, every, no, needs. How much does each promise?",
        "'Every' and 'needs' fall with one case. What was not asked stays open.",
        "One is shown, three are refuted, two are open.",
    ),
)
