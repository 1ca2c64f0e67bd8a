"""Exercise 3.6: a latch, by hand."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def latch_by_hand(strength: float) -> tuple[Tensor, Tensor]:
    """Return W (4, 2) and b (4,) of one unit that stores `value` when `write` is 1."""
    W = torch.tensor([[0, 2 * strength], [0, -2 * strength], [2, 0], [0, 0]])
    b = torch.tensor([-strength, strength, 0, strength])
    return W, b


EXERCISE = Exercise(
    number="3.6",
    task="a latch, by hand",
    reference=latch_by_hand,
    takes="strength, a positive number",
    gives="two tensors: W (4, 2), rows i, f, g, o, columns value, write; and b (4,)",
    cases=lambda: [(6.0,), (12.0,), (3.5,)],
    hints=(
        "Take the rows one by one. For the input gate: which w and b give w + b = strength and 0 + "
        "b = -strength?",
        "Input gate: weight 2 strength on write, bias -strength. The forget gate is its mirror "
        "image. The candidate hears only value, with weight 2.",
        "The output gate needs no weight: its bias alone keeps it open at strength.",
    ),
    misconceptions=(
        *mistakes("""
            forget gate opens on write
                -2 * strength => 2 * strength &&
                -strength, strength, 0 => -strength, -strength, 0
                Your forget gate opens when the bit is written and shuts while it should be kept. It
                must do the opposite of the input gate.
            no bias
                2 * strength], [0, -2 * strength => strength], [0, -strength &&
                -strength, strength, 0 => 0, 0, 0
                With write = 0 your gates have the sum 0, so they stand half open: distractors leak
                in and the bit leaks out. The bias must hold them to one side.
            too little to turn the gate
                2 * strength], [0, -2 * strength => strength], [0, -strength
                With write = 1 the weight only cancels the bias: the sum is 0, the gate half open.
                From -strength to +strength it takes 2 strength.
            rows in another order
                [2, 0], [0, 0] => [0, 0], [2, 0] &&
                strength, 0, strength => strength, strength, 0
                The last two rows are swapped: PyTorch's order is i, f, g, o.
        """),
        Misconception(
            "columns in another order",
            Change(
                "[0, 2 * strength], [0, -2 * strength], [2, 0]",
                "[2 * strength, 0], [-2 * strength, 0], [0, 2]",
            ),
            "The inputs are (value, write): value is the first column, write the second.",
        ),
        *mistakes("""
            both gates turned round
                [0, 2 * strength], [0, -2 * strength] => [0, -2 * strength], [0, 2 * strength] &&
                -strength, strength, 0 => strength, -strength, 0
                Input and forget gate are turned round: write = 1 must open the input gate and shut
                the forget gate.
            input gate shuts on write
                [0, 2 * strength] => [0, -2 * strength] &&
                -strength, strength, 0 => strength, strength, 0
                Your input gate shuts when the bit is to be written. With write = 1 its sum must be
                +strength.
            forget gate never open
                -strength, strength, 0 => -strength, -strength, 0
                Your forget gate is never open: with write = 0 its sum must be +strength, and the
                bias alone can bring it there.
            output gate on command
                [0, 0] => [0, strength] &&
                strength, 0, strength => strength, 0, 0
                Your output gate hears `write`. Its sum is always +strength: no weight, and the bias
                does it.
            candidate too weak
                [2, 0] => [1, 0]
                The candidate's weight is 1. Its sum must be 2 times value.
            output gate shut
                strength, 0, strength => strength, 0, -strength
                Your output gate is always shut: its sum must be +strength.
            output gate half open
                strength, 0, strength => strength, 0, 0
                Your output gate stands half open: its sum must be +strength, by its bias.
            no biases at all
                -strength, strength, 0 => 0, 0, 0
                With write = 0 the sums of both gates are 0: half open. The biases must hold them at
                -strength and +strength.
            twice the strength
                return W, b => return torch.cat((2 * W[:2], W[2:])), 2 * b
                Your sums are twice as large as asked: +strength and -strength.
            W and b swapped
                return W, b => return b, W
                You return b first. The order asked for is W, then b.
        """),
        Misconception(
            "a fixed strength",
            lambda strength: latch_by_hand(1.0),
            "Your weights do not depend on `strength`.",
        ),
        *mistakes("""
            transposed
                return W, b => return W.T, b
                W is transposed. It has a row for each gate and a column for each input: (4, 2).
            W alone
                return W, b => return W
                You return W alone. The biases are needed too: return W, b.
        """),
    ),
)
