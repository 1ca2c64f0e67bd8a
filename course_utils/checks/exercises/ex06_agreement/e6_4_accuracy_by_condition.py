"""Exercise 6.4: accuracy in every condition."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def accuracy_by_condition(conditions: Sequence[str], margins: Tensor) -> dict[str, float]:
    """Return the share of right answers in every condition; where neither form wins, a half."""
    shares = {}
    for name in dict.fromkeys(conditions):
        own = [m for c, m in zip(conditions, margins.tolist(), strict=True) if c == name]
        shares[name] = sum((m > 0) + 0.5 * (m == 0) for m in own) / len(own)
    return shares


EXERCISE = Exercise(
    number="6.4",
    task="accuracy in every condition",
    reference=accuracy_by_condition,
    takes="conditions: a list of N names; margins (N,): log p(right) - log p(wrong)",
    gives="a dict from every condition to a share between 0 and 1",
    example=(["SS", "SP", "SS"], torch.tensor([1.0, -2.0, 0.0])),
    cases=lambda: [
        (["SS", "SP", "SS", "PS"], torch.tensor([0.25, -2.0, 0.0, 3.0])),
        (["P", "S", "P", "S", "P"], torch.tensor([1.0, 0.0, -0.5, 0.25, 0.75])),
        (["PP", "SP", "PP", "PP"], torch.tensor([-1.0, 0.125, 0.0, 0.0])),
    ],
    hints=(
        "For one condition: which items belong to it, and how many of them are right?",
        "Right is 1 where the margin is above 0, a half where it is 0.",
        "right = (margins > 0) + 0.5 * (margins == 0), then the mean over the items of each.",
    ),
    misconceptions=(
        *mistakes("""
            a tie is wrong
                (m > 0) + 0.5 * (m == 0) => m > 0
                Where the margin is 0 neither form wins: count a half, as a coin would get.
            a tie is right
                (m > 0) + 0.5 * (m == 0) => m >= 0
                Where the margin is 0 neither form wins. A model that knows nothing at all would get
                1: count a half.
            turned round
                (m > 0) => (m < 0)
                You count the wrong answers: right is log p(right) above log p(wrong).
            turned round, ties too
                (m > 0) + 0.5 * (m == 0) => m < 0
                You count the wrong answers, and where neither form wins none: right is log p(right)
                above log p(wrong), and a tie is a half.
            of all items
                / len(own) => / len(conditions)
                You divide by the number of all items. Each condition has a number of its own.
            counted, not divided
                / len(own) => / 1
                These are counts. Divide by how many items the condition has.
        """),
        Misconception(
            "the same for all",
            Change(" if c == name", ""),
            "Every condition gets the rate of all items. The mean hides what the conditions were "
            "made for.",
        ),
        *mistakes("""
            mean of the signs
                (m > 0) + 0.5 * (m == 0) => (m > 0) - (m < 0)
                Right as 1 and wrong as -1 gives a number from -1 to 1. A share counts a wrong
                answer as 0.
            mean margin
                (m > 0) + 0.5 * (m == 0) => m
                That is the mean margin: one very sure answer would outweigh many. Count right and
                wrong.
        """),
    ),
)
