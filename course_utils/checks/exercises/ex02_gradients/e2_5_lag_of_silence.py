"""Exercise 2.5: the lag of silence."""

from __future__ import annotations

import math

from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def lag_of_silence(rate: float) -> int:
    """Return the first lag at which rate^lag is lost beside 1 in float32: half a gap or less."""
    return math.ceil(math.log(2**-24) / math.log(rate))


EXERCISE = Exercise(
    number="2.5",
    task="the lag of silence",
    reference=lag_of_silence,
    takes="rate, a number between 0 and 1",
    gives="a whole number",
    example=(0.125,),
    cases=lambda: [(rate,) for rate in (0.9, 0.5, 0.25, 0.973, 0.95)],
    hints=(
        "Write the condition: rate ** lag <= 2 ** -24. Solve it for the lag.",
        "Take logarithms. log(rate) is negative: the sign turns, lag >= log(2 ** -24) / log(rate).",
        "math.ceil(math.log(2**-24) / math.log(rate))",
    ),
    misconceptions=(
        *mistakes("""
            float64
                2**-24 => 2**-53
                That is where float64 falls silent, the numbers that Python computes with. PyTorch's
                default is float32: half of torch.finfo(torch.float32).eps.
            the smallest number instead of the resolution
                2**-24 => 2**-126
                You asked when the signal itself becomes zero (finfo.tiny). It is lost much earlier:
                when it no longer changes a sum near 1 (half of finfo.eps).
            rounded down
                math.ceil => math.floor
                You rounded down: at that lag rate**lag is still above half the gap, unless it falls
                on 2**-24 exactly. Round up to the first lag at which it is not.
        """),
        Misconception(
            "one too early",
            lambda rate: math.ceil(math.log(2**-24) / math.log(rate)) - 1,
            "One step too early: at that lag rate**lag is still above half the gap. Round up to "
            "the first lag at which it is not.",
        ),
        Misconception(
            "one too late",
            lambda rate: math.floor(math.log(2**-24) / math.log(rate)) + 1,
            "One step too late where rate**lag meets 2**-24 exactly, as 0.5**24 does: a signal of "
            "just half the gap is rounded away as well.",
        ),
        Misconception(
            "the whole gap",
            Change("2**-24", "2**-23"),
            "That is where the signal reaches the whole gap, 2**-23. What is larger than half the "
            "gap still rounds up to it: the signal is lost at 2**-24.",
        ),
        Misconception(
            "not rounded",
            lambda rate: math.log(2**-24) / math.log(rate),
            "That is the solution of rate ** lag = 2 ** -24, which lies between two steps. The "
            "first whole lag at which the signal is lost is the next one: round up.",
        ),
        *mistakes("""
            two kinds of logarithm
                math.log(2**-24) => math.log10(2**-24)
                You divided a log10 by a natural log. Any base will do, but the same for both.
            rounded to the nearest
                math.ceil => round
                You rounded to the nearest step. The first step at which the signal is lost is the
                next one: round up.
        """),
        Misconception(
            "divided the wrong way round",
            lambda rate: math.ceil(math.log(rate) / math.log(2**-24)),
            "The division is upside down: lag = log(2**-24) / log(rate).",
        ),
        Misconception(
            "negative",
            lambda rate: math.floor(-math.log(2**-24) / math.log(rate)) + 1,
            "Your lag is negative: both logarithms are negative, so their quotient needs no minus.",
        ),
        Misconception(
            "a log2 and a natural log",
            Change("math.log(2**-24)", "math.log2(2**-24)"),
            "You divided a log2 by a natural log. Any base will do, but the same for both.",
        ),
        Misconception(
            "24 and a log10",
            lambda rate: math.floor(-24 / math.log10(rate)) + 1,
            "24 counts halvings, so it is a log2: divide it by math.log2(rate).",
        ),
        Misconception(
            "two too late",
            lambda rate: math.ceil(math.log(2**-24) / math.log(rate)) + 1,
            "One step too late: round up, and add nothing.",
        ),
        Misconception(
            "two too late, floor",
            lambda rate: math.floor(math.log(2**-24) / math.log(rate)) + 2,
            "One step too late: count the steps once more.",
        ),
        Misconception(
            "halved",
            lambda rate: 24,
            "You halve the signal at every step. It is multiplied by `rate`.",
        ),
        Misconception(
            "subtracted",
            Change("math.log(rate)", "-(1 - rate)"),
            "log(rate) is not -(1 - rate): that is near only for rates near 1. Take the logarithm "
            "itself.",
        ),
        Misconception(
            "divided by the rate",
            lambda rate: math.ceil(24 / rate),
            "The rate is a base, not a divisor: 24 halvings take 24 / -log2(rate) steps.",
        ),
        Misconception(
            "one in ten million",
            lambda rate: math.floor(math.log(1e-7) / math.log(rate)) + 1,
            "1e-7 is a rule of thumb for float32. The exact number is half a gap: 2**-24.",
        ),
        Misconception(
            "half",
            lambda rate: math.floor(math.log(0.5) / math.log(rate)) + 1,
            "That is the half-life: the signal is at one half. It is lost at 2**-24.",
        ),
    ),
)
