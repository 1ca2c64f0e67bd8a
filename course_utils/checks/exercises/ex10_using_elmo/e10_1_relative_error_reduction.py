"""Exercise 10.1: relative error reduction."""

from __future__ import annotations

from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def relative_error_reduction(baseline: float, improved: float) -> float:
    """Return which share of the baseline's error is gone, in percent; both scores in percent."""
    return 100 * (improved - baseline) / (100 - baseline)


EXERCISE = Exercise(
    number="10.1",
    task="relative error reduction",
    reference=relative_error_reduction,
    takes="baseline, improved: scores in percent",
    gives="a number in percent",
    example=(80.0, 85.0),
    cases=lambda: [(80.0, 85.0), (90.0, 92.5), (51.4, 54.7), (60.0, 57.0)],
    hints=(
        "At 80 percent, how much is wrong? And at 85?",
        "The error goes from 100 - baseline to 100 - improved.",
        "100 * (improved - baseline) / (100 - baseline)",
    ),
    misconceptions=(
        Misconception(
            "relative to the score",
            Change("(100 - baseline)", "baseline"),
            "You divide by the score that was there. What can still be won is the error, 100 minus "
            "the score.",
        ),
        Misconception(
            "the difference",
            lambda baseline, improved: improved - baseline,
            "This is the difference in points. From 80 to 85 a quarter of the error is gone.",
        ),
        *mistakes("""
            a share, not percent
                100 * (improved - baseline) => (improved - baseline)
                Right as a share. You need percent: times 100.
            relative to the new error
                100 - baseline => 100 - improved
                You divide by the error that is left. The error that was there before is the whole
                that a part is taken of.
            what is left
                improved - baseline => 100 - improved
                This is the share of the error that is left. You need the share that is gone.
            sign
                improved - baseline => baseline - improved
                The sign is reversed: an improvement reduces the error by a positive number.
        """),
    ),
)
