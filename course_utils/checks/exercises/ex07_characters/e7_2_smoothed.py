"""Exercise 7.2: smooth a count."""

from __future__ import annotations

from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def smoothed(text: str, context: str, sign: str, V: int, alpha: float) -> float:
    """Return the add-alpha estimate of p(sign | context), counted in a text."""
    n = len(context)
    followers = [text[k + n] for k in range(len(text) - n) if text[k : k + n] == context]
    return (followers.count(sign) + alpha) / (len(followers) + V * alpha)


EXERCISE = Exercise(
    number="7.2",
    task="smooth a count",
    reference=smoothed,
    takes="text, context, sign: strings; V: how many characters there are; alpha: a number",
    gives="a probability",
    example=("abab", "a", "b", 4, 1.0),
    cases=lambda: [
        ("abab", "a", "c", 4, 1.0),
        ("aaab aab", "aa", "a", 5, 0.5),
        ("x = (y)\nz = (x", "x", "=", 30, 0.1),
        ("abcabcab", "ab", "c", 7, 0.25),
        ("abc", "q", "a", 11, 2.0),
        ("ab\nabc\nab\nab", "ab", "c", 9, 0.5),
        ("f(a.b).c(d)", ").", "c", 12, 0.2),
    ],
    hints=(
        "How often does something follow the context, and how often is it this sign?",
        "Walk over all places k with text[k : k + n] == context and a character after it.",
        "(count of context + sign + alpha) / (count of context with a follower + V * alpha)",
    ),
    misconceptions=(
        Misconception(
            "not smoothed",
            Change(
                "(followers.count(sign) + alpha) / (len(followers) + V * alpha)",
                "followers.count(sign) / max(1, len(followers))",
            ),
            "That is the bare share: what was never seen gets 0, and one such character makes the "
            "whole text impossible.",
        ),
        *mistakes("""
            alpha below only once
                V * alpha => alpha
                Every one of the V characters gets alpha, so below the line stand V alpha: else the
                probabilities sum to more than 1.
            nothing added below
                V * alpha => 0 * alpha
                You add alpha above the line and nothing below it: the probabilities sum to more
                than 1.
        """),
        Misconception(
            "a context at the end counts",
            Change(
                "text[k + n] for k in range(len(text) - n)",
                "text[k + n : k + n + 1] for k in range(len(text) - n + 1)",
            ),
            "Your context counts where the text ends with it: nothing follows there. Count only "
            "what is followed by a character.",
        ),
        Misconception(
            "overlaps are lost",
            Change(
                "text[k : k + n] == context",
                "text.count(context, 0, k + n) > text.count(context, 0, k + n - 1)",
            ),
            "str.count does not see occurrences that overlap: 'aaa' holds 'aa' twice.",
        ),
        Misconception(
            "newlines are no characters",
            Change("== context", '== context and text[k + n] != "\\n"'),
            "A context that ends its line is followed by a character too: the newline. In a "
            "regular expression the dot misses it without re.DOTALL.",
        ),
        *mistakes("""
            V of the text
                V * alpha => len(set(text)) * alpha
                You count the characters that occur in this text. V is given: characters that the
                text lacks can come too.
            nothing added above
                followers.count(sign) + alpha => followers.count(sign)
                Alpha stands below the line only: what was never seen still gets 0.
        """),
    ),
)
