"""Exercise 4.2: derive the time constant of the direct lane."""

from __future__ import annotations

import math

from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def time_constant(bias: float, renews: bool) -> float:
    """Return 1 / (1 - k), k the direct lane's factor, from the bias of the update gate."""
    kept = 1 / (1 + math.exp(bias if renews else -bias))
    return 1 / (1 - kept)


EXERCISE = Exercise(
    number="4.2",
    task="derive the time constant of the direct lane",
    kind="derive",
    reference=time_constant,
    takes="bias: a number; renews: True for a gate u that renews, False for a z that keeps",
    gives="the time constant, a number of steps",
    example=(0.0, True),
    cases=lambda: [(1.0, False), (1.0, True), (-2.5, True), (3.0, False), (4.5, True)],
    hints=(
        "Along (4.4) with PyTorch's letters, what multiplies h_{t-1}? With ours?",
        "k = sigmoid(b) for a gate that keeps, 1 - sigmoid(b) for one that renews. Then simplify 1 "
        "/ (1 - k).",
        "1 + math.exp(b) when it keeps, 1 + math.exp(-b) when it renews.",
    ),
    misconceptions=(
        *mistakes("""
            the same sign for both
                bias if renews else -bias => -bias
                You treat both conventions alike. A gate that renews leaves k = 1 - u on the direct
                lane, and 1 - sigmoid(b) = sigmoid(-b).
            the conventions swapped
                bias if renews else -bias => -bias if renews else bias
                You have the conventions the wrong way round, or divided 1 by what is kept: both
                come to the same. z itself is k, u is the loss, and it is 1 over the loss.
            always renewing
                bias if renews else -bias => bias
                You treat both conventions alike, as if the gate always renewed. A gate that keeps
                is the factor itself: k = z.
            chrono's m without the 1
                1 / (1 - kept) => kept / (1 - kept)
                That is m. The gate is m / (m + 1), so 1 - k is 1 / (m + 1): one step more.
            the factor itself
                1 / (1 - kept) => kept
                That is k, what one step keeps. The time constant is 1 / (1 - k).
            the share that is lost
                1 / (1 - kept) => 1 - kept
                That is 1 - k, what one step loses. The time constant is 1 over it.
            the half-life
                1 / (1 - kept) => math.log(0.5) / math.log(kept)
                That is the half-life, as in lecture 03. The time constant asked for is 1 / (1 - k).
            the time to 1/e
                1 / (1 - kept) => -1 / math.log(kept)
                That is the time to fall to 1/e exactly. For long memories it is half a step less
                than 1 / (1 - k), which is asked for here.
            no sigmoid
                (1 - kept) => bias if renews else 1 / (1 - bias) if bias != 1 else 0.0
                You took the bias for the gate. The gate is sigmoid(bias).
        """),
        Misconception(
            "a tanh for a gate",
            Change(
                "1 / (1 + math.exp(bias if renews else -bias))",
                "math.tanh(-bias if renews else bias)",
            ),
            "You squashed the bias with tanh. Gates go through a sigmoid.",
        ),
    ),
)
