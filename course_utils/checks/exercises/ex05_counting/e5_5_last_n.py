"""Exercise 5.5: predict the last n of a counter, from the bits of its format."""

from __future__ import annotations

from course_utils.checks.exercise import Exercise, Misconception


def last_n(stored: int) -> int:
    """Return up to which n a cell counts a^n b^n by ones, from the bits stored of its mantissa."""
    return 2 ** (stored + 1)


EXERCISE = Exercise(
    number="5.5",
    task="predict the last n of a counter, from the bits of its format",
    kind="derive",
    reference=last_n,
    takes="stored: how many bits of the mantissa a format stores, a whole number",
    gives="the largest n, a whole number",
    example=(3,),
    cases=lambda: [(2,), (3,), (7,), (10,), (23,)],
    hints=(
        "Write down all numbers with 3 significant bits: 1, 1.25, 1.5, 1.75, 2, 2.5 ... Which "
        "whole number is the first that is missing?",
        "With p significant bits neighbours are 1 apart up to 2^p, and 2 apart above. What is 2^p "
        "+ 1 rounded to?",
        "p = stored + 1, because the leading 1 is not stored: 2 ** (stored + 1).",
    ),
    misconceptions=(
        Misconception(
            "the hidden bit",
            lambda stored: 2**stored,
            "You forgot the leading 1, which is not stored: one more significant bit.",
        ),
        Misconception(
            "the largest mantissa",
            lambda stored: 2 ** (stored + 1) - 1,
            "Up to there all bits are ones. The next number, a power of two, is exact as well; "
            "after that one the steps are 2.",
        ),
        Misconception(
            "the first that fails",
            lambda stored: 2 ** (stored + 1) + 1,
            "That is the first whole number that is missing, so the first n that fails.",
        ),
        Misconception(
            "one bit too many",
            lambda stored: 2 ** (stored + 2),
            "One bit too many: with the leading 1 there are stored + 1 of them. The sign is kept "
            "apart.",
        ),
        Misconception(
            "the largest of the stored bits",
            lambda stored: 2**stored - 1,
            "You forgot the leading 1, which is not stored, and the power of two that follows the "
            "largest mantissa.",
        ),
        Misconception(
            "the bits themselves",
            lambda stored: stored + 1,
            "These are the significant bits. How many whole numbers do they tell apart?",
        ),
        Misconception(
            "half of the leading 1",
            lambda stored: 2 ** (stored - 1),
            "Two bits too few: the sign is kept apart, and the leading 1 comes on top of the bits "
            "that are stored.",
        ),
        Misconception(
            "the largest mantissa of one bit more",
            lambda stored: 2 ** (stored + 2) - 1,
            "One bit too many, and the power of two that follows is exact as well.",
        ),
        Misconception(
            "twice the bits",
            lambda stored: 2 * (stored + 1),
            "Every further bit doubles what can be told apart: 2 to the power of the bits.",
        ),
        Misconception(
            "decimal digits",
            lambda stored: 10.0**stored,
            "The format stores binary digits: powers of 2, not of 10.",
        ),
        Misconception(
            "a square",
            lambda stored: (stored + 1) ** 2,
            "Every further bit doubles the range: a power of 2, not a square.",
        ),
        Misconception(
            "the spacing at 1",
            lambda stored: 2.0**-stored,
            "That is the spacing of the numbers beside 1. Where does it become larger than the "
            "step of the counter?",
        ),
    ),
)
