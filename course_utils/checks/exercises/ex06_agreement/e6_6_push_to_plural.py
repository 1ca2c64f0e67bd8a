"""Exercise 6.6: read an efferent weight."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def push_to_plural(
    h: Tensor, W: Tensor, singular: Sequence[int], plural: Sequence[int], unit: int
) -> Tensor:
    """Return by how much a unit raises plural forms over singular ones, on average over verbs."""
    return h[unit] * (W[plural, unit] - W[singular, unit]).mean()


EXERCISE = Exercise(
    number="6.6",
    task="read an efferent weight",
    reference=push_to_plural,
    takes="h (H,); W (V, H) of the softmax; singular, plural: rows of the verbs' forms; unit",
    gives="a number: how many nats this unit adds to the plural forms' advantage",
    example=(torch.tensor([2.0, 1.0]), torch.tensor([[1.0, 0.0], [3.0, 5.0]]), [0], [1], 0),
    cases=lambda: [
        (some(H, seed=1), some(V, H, seed=2), [0, 2, 4][:n], [1, 3, 5][:n], unit)
        for H, V, n, unit in ((3, 7, 2, 1), (5, 7, 3, 4), (7, 11, 3, 0))
    ],
    hints=(
        "The score of a word is W[word] @ h + b. Which one term of this sum is the unit's?",
        "For one verb: h[unit] * W[plural form, unit] minus the same for the singular form.",
        "h[unit] * (W[plural, unit] - W[singular, unit]).mean()",
    ),
    misconceptions=(
        Misconception(
            "without h",
            lambda h, W, singular, plural, unit: (W[plural, unit] - W[singular, unit]).mean(),
            "Those are the weights alone. What arrives is the weight times what the unit says, "
            "h[unit].",
        ),
        Misconception(
            "singular over plural",
            lambda h, W, singular, plural, unit: -push_to_plural(h, W, singular, plural, unit),
            "The sign is reversed: you need plural minus singular.",
        ),
        Misconception(
            "sum over the verbs",
            lambda h, W, singular, plural, unit: (
                len(plural) * push_to_plural(h, W, singular, plural, unit)
            ),
            "You add up over the verbs. You need the mean: what one verb gets.",
        ),
        Misconception(
            "all units",
            lambda h, W, singular, plural, unit: ((W[plural] - W[singular]) @ h).mean(),
            "That is what all units do together. Only one of them is asked about.",
        ),
        *mistakes("""
            plural forms only
                (W[plural, unit] - W[singular, unit]) => W[plural, unit]
                A unit may raise both forms alike, and then decides nothing: subtract what the
                singular forms get.
            singular forms only
                (W[plural, unit] - W[singular, unit]) => W[singular, unit]
                That is what the singular forms get. You need what the plural forms get more.
            added
                [plural, unit] - W => [plural, unit] + W
                You add what both forms get. The advantage is the difference.
        """),
        Misconception(
            "absolute values",
            lambda h, W, singular, plural, unit: (
                (h[unit] * (W[plural, unit] - W[singular, unit])).abs().mean()
            ),
            "Without signs nobody knows for which number the unit speaks.",
        ),
        Misconception(
            "mean over units too",
            Change("[plural, unit] - W[singular, unit]", "[plural] - W[singular]"),
            "You average the weights of all units. Only the column of this one is asked for.",
        ),
        Misconception(
            "first verb only",
            lambda h, W, singular, plural, unit: (
                h[unit] * (W[plural[0], unit] - W[singular[0], unit])
            ),
            "That is what one verb gets. You need the mean over all verbs.",
        ),
        Misconception(
            "without h, singular over plural",
            lambda h, W, singular, plural, unit: (W[singular, unit] - W[plural, unit]).mean(),
            "The weights alone, and reversed: it is h[unit] times plural minus singular.",
        ),
    ),
)
