"""Exercise 2.8: judge which conclusions the evidence allows."""

from __future__ import annotations

from course_utils.checks.exercise import Exercise


def what_follows() -> set[str]:
    """Return the letters of the conclusions that the evidence allows."""
    return {"B", "D", "F"}


EXERCISE = Exercise(
    number="2.8",
    task="judge which conclusions the evidence allows",
    kind="judge",
    reference=what_follows,
    gives='a set of letters such as {"A", "C"}',
    cases=lambda: [()],
    choices=tuple("ABCDEFG"),
    reasons={
        "A": "A does not follow. The profile says how far this network can hear, not whether "
        "anybody speaks: shuffled targets gave the same profile in section 6.",
        "C": "C does not follow. One seed of three carries the whole lead: without it P "
        "would be behind. More seeds could turn it round.",
        "E": "E does not follow. Nobody ran it without clipping; some unclipped runs settle, "
        "too. It needs the same seeds without the clip.",
        "G": "G does not follow. Clipping shortens long gradients and lengthens none: what "
        "had vanished stays vanished. A lower loss may come from near effects.",
        ("missing", "B"): "One that follows is missing: plain gradient descent steps by rate "
        "times gradient, and a billionth moves nothing. That is about the next update at these "
        "weights, so it may be said. (That it will never learn it does not follow: an optimizer "
        "that divides by a gradient's size may get there, as some seeds of lecture 04 do.)",
        ("missing", "D"): "One that follows is missing: it was seen, so it is possible. One "
        "run is enough for 'it can happen' and never for 'it is better'.",
        ("missing", "F"): "One that follows is missing, by (2.9): clipping multiplies the "
        "whole gradient by one number below 1, which turns nothing.",
    },
    hints=(
        "For each letter: which experiment would have to come out differently if it were false? "
        "Was that experiment made?",
        "'It can happen' needs one case. 'It is better' and 'without it ...' need a comparison "
        "that chance could not have made.",
        "Three follow, one from each piece of evidence.",
    ),
    misconceptions=(),
)
