"""Exercise 4.3: convert the update gate."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def to_keeping(W: Tensor, U: Tensor, b: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return weights whose update gate keeps what the given one renews."""
    H = U.shape[1]
    sign = torch.ones_like(b)
    sign[H : 2 * H] = -1
    return sign[:, None] * W, sign[:, None] * U, sign * b


def _one_minus(W: Tensor, U: Tensor, b: Tensor) -> list[Tensor]:
    H = U.shape[1]
    return [torch.cat([part[:H], 1 - part[H : 2 * H], part[2 * H :]]) for part in (W, U, b)]


def _weights(D: int, H: int) -> tuple[Tensor, Tensor, Tensor]:
    return some(3 * H, D, seed=D), some(3 * H, H, seed=H), some(3 * H, seed=D * H)


EXERCISE = Exercise(
    number="4.3",
    task="convert the update gate",
    reference=to_keeping,
    takes="W (3H, D), U (3H, H), b (3H,), rows reset, update, candidate",
    gives="three tensors of the same shapes: W, U, b",
    example=(torch.ones(3, 1), torch.ones(3, 1), torch.ones(3)),
    cases=lambda: [_weights(D, H) for D, H in ((5, 7), (7, 3), (3, 11))],
    hints=(
        "You need a gate z = 1 - u. Where is 1 - sigmoid(a) on the curve of the sigmoid?",
        "1 - sigmoid(a) = sigmoid(-a): the gate's input changes its sign. Which rows make it?",
        "sign = torch.ones(3 * H); sign[H : 2 * H] = -1; multiply the rows of W, U and b.",
    ),
    misconceptions=(
        Misconception(
            "one minus the weights",
            _one_minus,
            "You took 1 minus the weights. It is the gate that must become 1 - u, after the "
            "sigmoid: which change of its input does that?",
        ),
        *mistakes("""
            bias forgotten
                sign * b => 1 * b
                The bias belongs to the gate's input as well: it changes its sign with W and U.
            the reset gate's rows
                [H : 2 * H] => [:H]
                You turned the first block of rows, the reset gate. The update gate is second.
            the candidate's rows
                [H : 2 * H] => [2 * H :]
                You turned the candidate's rows. Count from 0: rows H to 2H are the update gate.
            everything
                [H : 2 * H] => [:]
                You turned every row. Only the update gate means something else; the reset gate and
                the candidate stay.
            W only
                sign[:, None] * U, sign * b => 1 * U, 1 * b
                Only W has changed its sign. U and b make the same gate's input: turn their rows
                too.
            U forgotten
                sign[:, None] * U => 1 * U
                U has kept its sign. It makes the gate's input together with W and b.
            b only
                sign[:, None] * W, sign[:, None] * U => 1 * W, 1 * U
                Only the bias has changed its sign. W and U make the same gate's input: turn their
                rows too.
            W forgotten
                sign[:, None] * W => 1 * W
                W has kept its sign. It makes the gate's input together with U and b.
        """),
        Misconception(
            "blocks swapped",
            lambda W, U, b: [
                part.unflatten(0, (3, -1))[[1, 0, 2]].flatten(0, 1) for part in (W, U, b)
            ],
            "You swapped the first two blocks of rows. The order stays; the update gate's rows "
            "change their sign.",
        ),
        *mistakes("""
            candidate too
                [H : 2 * H] => [H:]
                You turned the candidate's rows as well. Only the update gate means something else.
            reset too
                [H : 2 * H] => [: 2 * H]
                You turned the reset gate's rows as well. Only the update gate means something else.
            unchanged
                = -1 => = 1
                Nothing has changed. Which rows make the update gate, and what turns sigmoid(a) into
                1 - sigmoid(a)?
        """),
        Misconception(
            "changed in place",
            Change(
                "sign[:, None] * W, sign[:, None] * U, sign * b",
                "W.mul_(sign[:, None]), U.mul_(sign[:, None]), b.mul_(sign)",
            ),
            "The numbers are right, but you changed the given weights themselves: whoever goes on "
            "with them has another network. Work on copies (clone).",
        ),
        Misconception(
            "one minus everything",
            lambda W, U, b: (1 - W, 1 - U, 1 - b),
            "You took 1 minus all weights. It is the gate that must become 1 - u, after the "
            "sigmoid.",
        ),
    ),
)
