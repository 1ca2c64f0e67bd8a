"""Exercise 7.3: draw a character at a temperature."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def draw_character(logits: Tensor, temperature: float, point: float) -> int:
    """Return the number of the character that `point` in [0, 1) falls on."""
    if temperature == 0:
        return int(logits.argmax())
    p = (logits / temperature).softmax(dim=0)
    below = int((p.cumsum(0) <= point).sum())
    return min(below, len(p) - 1)


EXERCISE = Exercise(
    number="7.3",
    task="draw a character at a temperature",
    reference=draw_character,
    takes="logits (V,), temperature (0 or more), point: a number in [0, 1)",
    gives="the number of a character, from 0",
    example=(torch.tensor([1.0, 0.0, 2.0]), 1.0, 0.3),
    cases=lambda: (
        [
            (some(V, seed=V) * 2, temperature, point)
            for V, temperature, point in (
                (3, 1.0, 0.3),
                (5, 0.5, 0.35),
                (5, 2.0, 0.35),
                (7, 0.7, 0.6),
                (7, 1.5, 0.15),
                (11, 0.4, 0.9),
                (11, 2.5, 0.5),
                (5, 0, 0.9),
                (7, 3.0, 0.0),
                (11, 0.3, 0.02),
            )
        ]
        + [(torch.zeros(2), 1.0, 0.5)]
    ),  # a point on the boundary
    hints=(
        "Make probabilities first. The running sum cuts [0, 1) into one piece a character.",
        "p = softmax(logits / temperature); the point lies in the piece of the character whose "
        "running sum is the first above it.",
        "At temperature 0 return the argmax; else count how many of p.cumsum(0) are <= point.",
    ),
    misconceptions=(
        *mistakes("""
            multiplied by the temperature
                logits / temperature => logits * temperature
                You multiply by the temperature: a high one would make the model bolder at what it
                likes. Divide, so that high temperatures make everything alike.
            temperature ignored
                (logits / temperature) => logits
                The temperature changes nothing here: divide the logits by it before softmax.
            divided by a temperature of 0
                temperature == 0 => temperature is None
                At temperature 0 you divide by 0, and every probability is NaN. Return the likeliest
                character there, before you divide.
        """),
        Misconception(
            "divided by a temperature of 0, then searched",
            lambda logits, temperature, point: int(
                ((logits / temperature).softmax(0).cumsum(0) > point).nonzero()[0]
            ),
            "At temperature 0 you divide by 0: every probability is NaN, and no running sum is "
            "above the point. Return the likeliest character there, before you divide.",
        ),
        Misconception(
            "left of the boundary",
            Change("<= point", "< point"),
            "A point on the boundary of two pieces belongs to the one on its right: [0, 0.5) is "
            "the first of two equal pieces, and 0.5 falls on the second.",
        ),
        Misconception(
            "always the likeliest",
            lambda logits, temperature, point: int(logits.argmax()),
            "That is the likeliest character, whatever the point is. Only at temperature 0 it is "
            "what is asked for.",
        ),
        *mistakes("""
            probabilities divided
                (logits / temperature).softmax(dim=0) => logits.softmax(dim=0) / temperature
                You divide the probabilities: they no longer sum to 1. Divide the logits.
            one too far
                min(below => min(below + 1
                You take the character after the one that the point falls on: the first whose
                running sum is above the point.
            sorted first
                p.cumsum(0) => p.sort(descending=True).values.cumsum(0) &&
                min(below, len(p) - 1) => int(p.argsort(descending=True)[below])
                The characters are sorted by probability, and the place in that order is returned to
                them: keep their own order, 0 to V - 1, so that a point means one character.
        """),
        Misconception(
            "softmax twice",
            Change(
                "(logits / temperature).softmax(dim=0)",
                "(logits.softmax(dim=0) / temperature).softmax(dim=0)",
            ),
            "Two softmaxes: the second takes numbers between 0 and 1 for logits, and makes all "
            "characters nearly alike.",
        ),
    ),
)
