"""Exercise 10.5: nearest neighbours by sense."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def neighbour_accuracy(vectors: Tensor, senses: Sequence[int], clauses: Sequence[int]) -> float:
    """Return how often the nearest use in another clause has the same sense."""
    meant, where = torch.tensor(senses), torch.tensor(clauses)
    unit = vectors / vectors.norm(dim=-1, keepdim=True)
    near = (unit @ unit.T).masked_fill(where[:, None] == where, -torch.inf)
    return (meant[near.argmax(dim=1)] == meant).double().mean().item()


def _uses() -> list[tuple[Tensor, list[int], list[int]]]:
    """Return uses whose neighbours differ by measure and by who is allowed."""
    cases = []
    for each, width, seed in ((2, 4, 3), (3, 5, 8), (4, 6, 21)):
        clauses = [n // each for n in range(4 * each)]
        senses = [clause % 2 for clause in clauses]
        middle = some(4, width, seed=seed)[clauses]  # uses of one clause lie together
        towards = torch.tensor([[1.0 if sense else -1.0] * width for sense in senses])
        length = 1 + 3 * some(len(clauses), 1, seed=seed + 1).abs()
        noise = some(len(clauses), width, seed=seed + 2)
        vectors = length * (0.5 * middle + 0.1 * towards + noise)
        cases.append((vectors, senses, clauses))
    # all that is allowed lies on the other side: every cosine is below 0
    apart = torch.tensor([[1.0, 0.1], [1.0, 0.0], [-1.0, 0.2], [-1.0, -0.1]])
    # one sense is rare: its uses count no more than the others
    rare = some(8, 3, seed=5) + torch.tensor([[0.0], [0.0], *[[0.7]] * 6])
    return [
        *cases,
        (apart, [0, 0, 1, 1], [0, 0, 1, 1]),
        (rare, [0, 0, 1, 1, 1, 1, 1, 1], [0, 1, 2, 2, 3, 3, 4, 4]),
    ]


EXERCISE = Exercise(
    number="10.5",
    task="nearest neighbours by sense",
    reference=neighbour_accuracy,
    takes="vectors: (N, D), uses of one word; senses, clauses: N whole numbers",
    gives="a number between 0 and 1",
    cases=_uses,
    hints=(
        "For each use: who may be its neighbour, who of these is nearest, has it the sense?",
        "Divide every vector by its length; then one matrix product gives all cosines.",
        "Set the cosine to -inf wherever clauses are equal, take the argmax of each row, and "
        "compare senses.",
    ),
    misconceptions=(
        *mistakes("""
            a use finds itself
                .masked_fill(where[:, None] == where, -torch.inf) =>
                Nearest to every use is the use itself: so everything is right. It is no answer.
            copies of the clause count
                where[:, None] == where => torch.eye(len(where), dtype=torch.bool)
                Uses in the same clause are allowed here. They are copies: finding one proves
                nothing about senses.
            dot product
                unit @ unit.T => vectors @ vectors.T
                You compare by the dot product: long vectors are near to everything. Divide by the
                lengths.
            distance
                unit @ unit.T => -torch.cdist(vectors, vectors)
                You compare by distance, in which the length of a vector counts. You need the
                cosine.
            forbidden is zero
                -torch.inf => 0.0
                You put 0 where the clause is the same. A cosine may be below 0, and then a
                forbidden use is the nearest. -inf is below everything.
        """),
        Misconception(
            "the senses' shares averaged",
            Change(
                "return (meant[near.argmax(dim=1)] == meant).double().mean().item()",
                "right = (meant[near.argmax(dim=1)] == meant).double()\n"
                "    return torch.stack([right[meant == s].mean() for s in meant.unique()])"
                ".mean().item()",
            ),
            "You average over the senses: a use of a rare sense counts for more than one of a "
            "common sense. You need the share of the uses.",
        ),
        *mistakes("""
            farthest
                -torch.inf => torch.inf &&
                argmax => argmin
                This asks the farthest use. A large cosine is near.
            dot product, copies count
                unit @ unit.T => vectors @ vectors.T &&
                where[:, None] == where => torch.eye(len(where), dtype=torch.bool)
                Two things: divide by the lengths, and leave out uses of the same clause.
            distance, copies count
                unit @ unit.T => -torch.cdist(vectors, vectors) &&
                where[:, None] == where => torch.eye(len(where), dtype=torch.bool)
                Two things: use the cosine, and leave out uses of the same clause.
            how many, not which share
                .double().mean() => .double().sum()
                You count the uses. Return their share: divide by the number of all uses.
            percent
                return (meant => return 100 * (meant
                Right, but in percent: a share between 0 and 1 is asked for.
        """),
        Misconception(
            "all pairs",
            Change(
                "(meant[near.argmax(dim=1)] == meant)",
                "(meant[:, None] == meant)[where[:, None] != where]",
            ),
            "This counts all pairs of uses. Only each use's nearest one is asked.",
        ),
    ),
)
