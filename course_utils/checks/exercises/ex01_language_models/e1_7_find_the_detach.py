"""Exercise 1.7: the missing detach."""

from __future__ import annotations

from course_utils.checks.exercise import Exercise
from course_utils.checks.mistakes import mistakes


def find_the_detach() -> dict[str, int]:
    """Return the line that lacks a detach, and how far a gradient walks without and with it."""
    return {"line": 3, "without": 60, "with": 20}


def _where_it_cuts(answer: dict[str, int]) -> dict[str, int]:
    """Return the answer; `net(read, h.detach())` in line 4 is the same cut as line 3."""
    return {**answer, "line": 3 if answer["line"] == 4 else answer["line"]}


EXERCISE = Exercise(
    number="1.7",
    task="the missing detach",
    kind="debug",
    reference=find_the_detach,
    gives="a dict of whole numbers: line, without, with",
    cases=lambda: [()],
    effect=_where_it_cuts,
    hints=(
        "What has a history when the second piece begins?",
        "h comes out of one round of the loop and goes into the next, with all that made it.",
        "Line 3, h = h.detach(). Without it a gradient walks through three pieces of 20 steps, "
        "with it through one.",
    ),
    misconceptions=mistakes("""
        the scores
            "line": 3 => "line": 5
            A detach there cuts the loss off from the network: nothing would be learned at all. What
            comes over from the piece before?
        the loss
            "line": 3 => "line": 6
            Without a gradient the loss teaches nothing. What is it that one piece hands to the
            next?
        the words
            "line": 3 => "line": 2
            The words are whole numbers: no gradient runs through them. What else goes into line 4?
        the start
            "line": 3 => "line": 1
            The first state is zeros and has no history. What goes from one round of the loop into
            the next?
        one piece
            "without": 60 => "without": 20
            The line is right. But without the detach the state of piece 3 hangs on piece 2, and
            that on piece 1.
        two pieces
            "without": 60 => "without": 40
            The line is right. The third piece's gradient walks through its own 20 steps as well.
        counted in pieces
            "without": 60 => "without": 3 &&
            "with": 20 => "with": 1
            The line is right. You count pieces; you need steps, 20 a piece.
        counted in pieces, without it
            "without": 60 => "without": 3
            The line is right. Without it you count pieces; you need steps, 20 a piece.
        everything cut
            "with": 20 => "with": 0
            The line is right. The detach cuts at the start of the piece: inside it the gradient
            walks all 20 steps.
        nothing cut
            "with": 20 => "with": 60
            The line is right. The numbers of the state go on through all pieces, the gradient does
            not: behind the detach there is nothing to walk through.
        one step
            "with": 20 => "with": 1
            The line is right. The gradient walks back through all steps of its piece, not just one.
    """),
)
