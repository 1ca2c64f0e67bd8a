"""Exercise 1.11: one training step of skip-gram with negative words."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Arguments, Exercise
from course_utils.checks.mistakes import mistakes


def sgns_step(
    E: Tensor, C: Tensor, centre: Tensor, near: Tensor, far: Tensor, rate: float
) -> tuple[Tensor, Tensor]:
    """Return both tables (V, D) after one step of gradient descent on (1.7)."""
    x, y, z = E[centre], C[near], C[far]
    B = len(centre)
    pull = (torch.sigmoid((x * y).sum(1)) - 1)[:, None] / B
    push = torch.sigmoid((x * z).sum(1))[:, None] / B
    d_x = pull * y + push * z
    new_E = E.index_add(0, centre, -rate * d_x)
    new_C = C.index_add(0, near, -rate * pull * x)
    new_C = new_C.index_add(0, far, -rate * push * x)
    return new_E, new_C


def _cases() -> list[Arguments]:
    pairs = (([2, 0, 2, 5], [1, 1, 3, 0], [4, 3, 1, 2]), ([1, 1, 0], [0, 2, 2], [3, 3, 1]))
    found = []
    for V, D, three in ((6, 3, pairs[0]), (4, 2, pairs[1])):
        ids = (torch.tensor(each) for each in three)
        found.append((some(V, D, seed=V), some(V, D, seed=D + 20), *ids, 0.7))
    return found


EXERCISE = Exercise(
    number="1.11",
    task="one training step of skip-gram",
    reference=sgns_step,
    takes="E and C (V, D), centre, near and far (B,) of whole numbers, rate a number",
    gives="two tensors (V, D)",
    example=(
        torch.tensor([[1.0], [0.0]]),
        torch.tensor([[0.0], [0.0]]),
        torch.tensor([0]),
        torch.tensor([0]),
        torch.tensor([1]),
        1.0,
    ),
    cases=_cases,
    hints=(
        "Six lines: look up x, y and z; the two slopes of (1.7); what each of the three rows gets.",
        "dJ/dx is (sigma(s+) - 1) y + sigma(s-) z, over B. By symmetry y gets (sigma(s+) - 1) x "
        "and z gets sigma(s-) x.",
        "E.index_add(0, centre, -rate * (pull * y + push * z)) adds up what a word gets that "
        "stands in the batch twice; then C, for near and for far.",
    ),
    misconceptions=mistakes("""
        assigned, not added
            E.index_add(0, centre, -rate * d_x) => E.index_put((centre,), x - rate * d_x)
            A word that stands in the batch twice gets one of its two gradients here: rows are
            assigned where they must be added to, line (1.6).
        uphill
            -rate * d_x => rate * d_x
            The words of E walk uphill: they are pushed from their neighbours. Against the gradient
            means minus rate times it.
        the sum, not the mean
            B = len(centre) => B = 1
            Your step is B times too long: J of (1.7) is a mean over the pairs.
        the neighbours are not trained
            return new_E, new_C => return new_E, C
            Only E has moved. C holds the words as neighbours, and they are pulled and pushed too.
        no pull where it is right
            (torch.sigmoid((x * y).sum(1)) - 1) => torch.sigmoid((x * y).sum(1))
            The slope for true pairs is sigma(s) - 1, not sigma(s): without the 1, true pairs are
            pushed apart like random ones.
        x after its own step
            push * x => push * new_E[centre]
            The random words hear the x after the step. All gradients belong to the tables as they
            were before.
        random pairs pulled
            push = torch.sigmoid((x * z).sum(1)) => push = (torch.sigmoid((x * z).sum(1)) - 1)
            Your random pairs are pulled together like true ones; then all words end up alike.
        the random words are left out
            pull * y + push * z => pull * y
            x is pulled to its neighbour and never pushed from the random word.
    """),
)
