"""Exercise 9.3: find the direction that peeks."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise
from course_utils.checks.mistakes import mistakes


def peeking(sight: Tensor, direction: str) -> list[int]:
    """Return the outputs that depend on a token which they are to predict, or that lies behind."""
    far = sight.triu(1) if direction == "forward" else sight.tril(-1)
    return [k for k, row in enumerate(far) if (row != 0).any()]


def _sights() -> list[tuple[Tensor, str]]:
    """Return matrices of honest readers in which some outputs peek, one of them very little.

    What is felt may be negative, and may cancel in a sum.
    """
    found = []
    for T, direction, leaks in (
        (4, "forward", {(1, 2): 0.5, (2, 3): 1e-7}),
        (5, "backward", {(3, 0): 0.25, (4, 3): -1e-6}),
        (6, "forward", {(0, 4): 0.125, (2, 3): 0.5, (2, 5): -0.5}),
        (7, "backward", {}),
    ):
        values = some(T, T, seed=T).abs() + 0.1
        sight = values.tril() if direction == "forward" else values.triu()
        for (k, j), value in leaks.items():
            sight[k, j] = value
        found.append((sight, direction))
    return found


EXERCISE = Exercise(
    number="9.3",
    task="find the direction that peeks",
    kind="debug",
    reference=peeking,
    takes='sight (T, T), entry [k, j] is what output k feels of input j; direction: "forward" '
    '(output k predicts token k + 1) or "backward" (token k - 1)',
    gives="a list of outputs, from 0, in rising order; empty if none peeks",
    example=(torch.tensor([[1.0, 0.5], [0.5, 1.0]]), "forward"),
    cases=_sights,
    hints=(
        "Forward: which inputs j may output k not depend on?",
        "Forward j > k, backward j < k. Peeking is any entry there that is not 0.",
        "far = sight.triu(1) if direction == 'forward' else sight.tril(-1); then the rows of far "
        "with a number that is not 0.",
    ),
    misconceptions=mistakes("""
        its own token is forbidden
            triu(1) => triu() &&
            tril(-1) => tril()
            Output k may read token k: what it predicts is the next one. So the diagonal is
            allowed.
        one direction for both
            sight.triu(1) if direction == "forward" else sight.tril(-1) => sight.triu(1)
            You take every reader for a forward one. Backward, output k predicts token k - 1, so
            it may read k and what follows.
        directions exchanged
            == "forward" => != "forward"
            Your directions are swapped: forward, what lies after k is forbidden.
        rows and columns exchanged
            enumerate(far) => enumerate(far.T)
            These are the inputs that are seen. You need the outputs that see them: the
            rows.
        only the next token
            triu(1) => triu(1).tril(1) &&
            tril(-1) => tril(-1).triu(-1)
            You look at the one token that is to be predicted. What lies behind it is forbidden
            as well: it would give the sentence away.
        the predicted token itself overlooked
            triu(1) => triu(2) &&
            tril(-1) => tril(-2)
            You begin one too far: the very token that output k is to predict, k + 1 or k - 1,
            is the first that it must not feel.
        rows and columns of the square exchanged
            sight.triu(1) => sight.T.triu(1) &&
            sight.tril(-1) => sight.T.tril(-1)
            You read the square the other way round: sight[k, j] is what output k feels of input
            j, so an output is a row.
        negative is nothing
            row != 0 => row > 0
            You pass over negative entries. An output that feels a token feels it, whichever way
            it pushes: anything but 0 counts.
        summed up
            (row != 0).any() => row.sum() != 0
            You add up a row: what is felt with two signs may cancel. Ask every entry.
        summed up, and positive
            (row != 0).any() => row.sum() > 0
            You ask whether a row's sum is positive: entries may be negative, and may cancel.
            Ask every entry whether it is 0.
        small is nothing
            row != 0 => row.abs() > 1e-3
            You pass over small entries. A gradient is exactly 0 where no path leads, and
            training will make much of 0.0000001.
        the honest ones
            if (row => if not (row
            These are the outputs that do not peek. You need those that do.
        counted from one
            [k for => [k + 1 for
            The right outputs, counted from 1. Places start at 0.
    """),
)
