"""Exercise 1.9: who can tell the two texts apart?."""

from __future__ import annotations

from course_utils.checks.exercise import Exercise
from course_utils.checks.mistakes import mistakes


def tell_apart() -> dict[str, bool]:
    """Return which models can tell two texts apart that share their last four words."""
    return {"5-gram": False, "6-gram": True, "window of 4": False, "Elman": True,
            "Elman, pieces of 2": True, "Elman, reset": False}  # fmt: skip


EXERCISE = Exercise(
    number="1.9",
    task="who can tell the two texts apart?",
    kind="predict",
    reference=tell_apart,
    gives="a dict of True or False for six models",
    cases=lambda: [()],
    choices=dict.fromkeys(tell_apart(), (True, False)),
    hints=(
        "The texts differ before their last four words. Through what could that reach the model?",
        "An n-gram looks at n - 1 words. Cutting the gradient in training changes nothing when the "
        "network reads.",
        "True for the 6-gram, the Elman network and the one trained with pieces of 2.",
    ),
    misconceptions=mistakes("""
        a 5-gram sees five back
            "5-gram": False => "5-gram": True
            A 5-gram is five words with the predicted one: it looks at four. The two texts share
            their last four.
        a 6-gram is blind
            "6-gram": True => "6-gram": False
            A 6-gram looks at five words, and the fifth from the end differs.
        the window remembers
            "window of 4": False => "window of 4": True
            A window of four gets four words and nothing else: no state comes over from before.
        pieces are windows
            "Elman, pieces of 2": True => "Elman, pieces of 2": False
            Pieces of 2 cut the gradient in training. When the network reads, its state still
            comes all the way from the first word.
        a reset harms nothing
            "Elman, reset": False => "Elman, reset": True
            With the state reset before the last four words, nothing is left of what differs.
        all networks
            "window of 4": False => "window of 4": True &&
            "Elman, reset": False => "Elman, reset": True
            To be a network is not enough: is there anything in it that has met the words that
            differ?
        no memory at all
            "Elman": True => "Elman": False &&
            "Elman, pieces of 2": True => "Elman, pieces of 2": False
            The state of an Elman network has read every word since the start, the ones that
            differ among them.
    """),
)
