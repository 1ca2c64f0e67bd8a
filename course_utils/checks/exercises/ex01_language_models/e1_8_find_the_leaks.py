"""Exercise 1.8: five ways to train, some with a leak."""

from __future__ import annotations

from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def find_the_leaks() -> dict[str, bool]:
    """Return which of five ways to train a language model let it see its target."""
    return {"A": False, "B": True, "C": True, "D": True, "E": False}


EXERCISE = Exercise(
    number="1.8",
    task="five ways to train, some with a leak",
    kind="debug",
    reference=find_the_leaks,
    gives="a dict of True or False for A to E",
    cases=lambda: [()],
    choices=dict.fromkeys("ABCDE", (True, False)),
    hints=(
        "A leak is a way from word t + 1 into the scores that should predict word t + 1.",
        "What has the backward half of a bidirectional layer read at step t? And a mean over time?",
        "B, C and D leak; A and E do not.",
    ),
    misconceptions=(
        *mistakes("""
            both directions are fine
                "B": True => "B": False
                Look at B again: the backward half has read word t + 1 before it helps to predict
                it.
            copying is fine
                "C": True => "C": False
                Look at C again: the word to predict is the word that is read. A network that only
                copies has loss 0.
            a mean is fine
                "D": True => "D": False
                Look at D again: a mean over the whole text, taken before the first step, has seen
                the last word.
            the shift leaks
                "A": False => "A": True
                A is how it should be: x stops one word short, y starts one word late.
            a strange state leaks
                "E": False => "E": True
                E hands on a state that belongs to another text. That harms, but the state has read
                nothing that is still to be predicted.
            only the copy
                "B": True => "B": False &&
                "D": True => "D": False
                C copies, that is one leak. Ask of B and D: has anything in the state at step t read
                word t + 1?
        """),
        Misconception(
            "everything leaks",
            lambda: dict.fromkeys("ABCDE", True),
            "Not all of them leak: a leak needs a way from word t + 1 into the prediction of word "
            "t + 1.",
        ),
        Misconception(
            "nothing leaks",
            lambda: dict.fromkeys("ABCDE", False),
            "Some leak. Follow word t + 1 in each: can it reach the scores that should predict it?",
        ),
    ),
)
