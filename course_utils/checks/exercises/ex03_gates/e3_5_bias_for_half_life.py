"""Exercise 3.5: the forget bias for a half-life."""

from __future__ import annotations

import math

from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def bias_for_half_life(steps: float) -> float:
    """Return the forget bias at which half of a memory is left after `steps` steps."""
    f = 0.5 ** (1 / steps)
    return math.log(f / (1 - f))


EXERCISE = Exercise(
    number="3.5",
    task="the forget bias for a half-life",
    kind="derive",
    reference=bias_for_half_life,
    takes="steps: a number, 1 or more",
    gives="the bias b, a number",
    example=(1.0,),
    cases=lambda: [(2.0,), (10.0,), (100.0,), (37.5,)],
    hints=(
        "Two steps: which gate f leaves one half after that many steps? Which bias makes it?",
        "f ** steps = 0.5, so f = 0.5 ** (1 / steps). Then solve f = 1 / (1 + exp(-b)) for b.",
        "b = math.log(f / (1 - f))",
    ),
    misconceptions=(
        Misconception(
            "the gate instead of its bias",
            Change("math.log(f / (1 - f))", "f"),
            "That is the gate f that halves a memory in this time. Which bias makes it, f = "
            "sigmoid(b)? Solve for b.",
        ),
        Misconception(
            "the time constant",
            lambda steps: math.log(steps),
            "ln(steps) makes the gate steps / (steps + 1), as chrono does. That is a time "
            "constant: what is left after it is near 1/e, not one half.",
        ),
        Misconception(
            "chrono's time constant",
            lambda steps: math.log(steps - 1),
            "That is the bias of the gate 1 - 1/steps: a time constant of `steps`, after which "
            "some 0.37 is left, not one half.",
        ),
        *mistakes("""
            e for 2
                0.5 ** => math.exp(-1) **
                You let the memory fall to 1/e. A half-life asks for one half: f to the power of
                steps is 0.5.
            the other sign
                return math => return -math
                The sign is reversed: your gate erases what it should keep. sigmoid(b) = f gives
                b = ln(f / (1 - f)).
            the logarithm of the gate
                math.log(f / (1 - f)) => math.log(f)
                That is ln f. The inverse of the sigmoid is not the logarithm alone: b = ln(f / (1 -
                f)).
            minus the logarithm of the rest
                math.log(f / (1 - f)) => -math.log(1 - f)
                The numerator is missing: b = ln(f / (1 - f)) = ln f - ln(1 - f).
            logarithm to base 2
                math.log => math.log2
                The base is 2. The sigmoid is made of e, so its inverse takes the natural log.
            logarithm to base 10
                math.log => math.log10
                The base is 10. The sigmoid is made of e, so its inverse takes the natural log.
            half a gate a step
                0.5 ** (1 / steps) => 1 - 0.5 / steps
                You took away 0.5 / steps at each step. What is lost is a share of what is left: the
                factors multiply, f = 0.5 ** (1 / steps).
            the sigmoid again
                math.log(f / (1 - f)) => 1 / (1 + math.exp(-f))
                You sent f through the sigmoid. f has been through it: go back, with its inverse
                ln(f / (1 - f)).
        """),
        Misconception(
            "the half-life of that bias",
            lambda steps: math.log(0.5) / math.log(1 / (1 + math.exp(-steps))),
            "You answer the reverse: how long a gate lasts whose bias is given. Here the time is "
            "given and the bias is asked.",
        ),
    ),
)
