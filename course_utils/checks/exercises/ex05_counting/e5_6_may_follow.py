"""Exercise 5.6: say which bracket may come next, and whether the text may end."""

from __future__ import annotations

from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes

END = "⊣"


BEGINNINGS = ("(", "", "()", "((", "(()", "(())", "())", ")", "())(", ")(", "()(()", "()()")


def may_follow(text: str) -> set[str]:
    """Return what may come next after the beginning of a balanced text of ( and )."""
    depth = 0
    for bracket in text:
        depth += 1 if bracket == "(" else -1
        if depth < 0:
            return set()
    return {"(", ")"} if depth else {"(", END}


EXERCISE = Exercise(
    number="5.6",
    task="say which bracket may come next, and whether the text may end",
    reference=may_follow,
    takes="text: a string of ( and ), the beginning of a text",
    gives="a set with some of '(', ')' and '⊣', or an empty one",
    example=("(",),
    cases=lambda: [(text,) for text in BEGINNINGS],
    hints=(
        "Which number decides? How does each bracket change it?",
        "Walk through the text with a depth. If it ever falls below 0, nothing may follow.",
        "At depth 0 the answer is {'(', '⊣'}, above it {'(', ')'}.",
    ),
    misconceptions=(
        *mistakes("""
            what is broken goes on
                return set() => pass &&
                if depth else => if depth > 0 else {"("} if depth else
                A ) too many cannot be made good: after '())' the set is empty, whatever follows.
            closed means over, broken goes on
                return set() => pass &&
                {"(", END} => {END}
                When all is closed the text may go on with a new (, and after a ) too many nothing
                may follow.
        """),
        Misconception(
            "everything, always",
            lambda text: {"(", ")", END},
            "You allow all three everywhere. A ) needs an open bracket, the end needs that none is "
            "open, and after a ) too many nothing may follow.",
        ),
        *mistakes("""
            everything, unless it is broken
                {"(", ")"} if depth else {"(", END} => {"(", ")", END}
                You allow all three wherever the text is not yet broken. A ) needs an open bracket,
                the end needs that none is open.
            the end always, broken goes on
                return set() => pass &&
                {"(", ")"} if => {"(", ")", END} if
                You let the text end while a bracket is still open, and go on after a ) too many.
        """),
        Misconception(
            "the last letter alone",
            lambda text: {"("} if not text else {"(", ")"} | ({END} if text[-1] == ")" else set()),
            "You look at the last letter. How many brackets are still open decides.",
        ),
        *mistakes("""
            ) always
                {"(", END} => {"(", ")", END}
                You let ) follow even where nothing is open.
            the end always
                {"(", ")"} => {"(", ")", END}
                You let the text end while a bracket is still open.
            no ( inside
                {"(", ")"} => {")"}
                Inside a bracket another one may open.
            closed means over
                {"(", END} => {END}
                When all is closed the text may end, and it may go on with a new (.
            no end at the start
                {"(", END} => {"(", END} if text else {"("}
                The empty text is balanced: at the start the end may come at once.
            no end
                {"(", END} => {"("}
                You never let the text end. Where all is closed, it may.
            a ) too many is forgotten
                return set() => pass &&
                if depth else => if depth > 0 else
                A ) that closes nothing cannot be made good: after ')' nothing may follow.
            below zero is another depth
                return set() => pass
                A depth below 0 is no depth: after ')' nothing may follow, whatever comes then.
            broken only while below zero
                return set() => pass &&
                return { => return set() if depth < 0 else {
                You look at the depth at the end alone: ')(' ends at 0, and was lost after ')'.
            broken may open
                return set() => return {"("}
                After a ) that closes nothing not even ( may follow: the text is lost.
        """),
        Misconception(
            "the last letter decides",
            lambda text: {"(", ")"} if text.endswith("(") else {"(", END},
            "You look at the last bracket alone. How many are open? '(()' has one left.",
        ),
    ),
)
