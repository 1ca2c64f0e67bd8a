"""Language modelling written as tagging: the label of a throw is the throw next to it.

Dice have no memory, so nobody can predict the next throw more than one time in six. A network that
does has peeked.
"""

from __future__ import annotations

from random import Random

from course_utils.data.tagging.examples import Example, Task

SIDES = tuple("123456")
FOLLOWING, BEFORE = 1, -1


def dice_task(towards: int = FOLLOWING, size: int = 2000, length: int = 12, seed: int = 0) -> Task:
    """Return throws of a fair die; each is labelled with the one after it, or the one before."""
    if towards not in (FOLLOWING, BEFORE):
        raise ValueError(f"towards is {FOLLOWING} (the next throw) or {BEFORE}, not {towards}")
    random = Random(f"dice {seed}")

    def draw() -> Example:
        throws = [random.choice(SIDES) for _ in range(length + 1)]
        if towards == FOLLOWING:
            return Example(throws[:-1], throws[1:])
        return Example(throws[1:], throws[:-1])

    parts = [[draw() for _ in range(count)] for count in (size, size // 4, size // 4)]
    return Task("dice", "tagging", *parts)
