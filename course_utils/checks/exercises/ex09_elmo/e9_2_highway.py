"""Exercise 9.2: a highway layer."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Arguments, Exercise
from course_utils.checks.mistakes import mistakes


def highway(x: Tensor, W_g: Tensor, b_g: Tensor, W_t: Tensor, b_t: Tensor) -> Tensor:
    """Return g t + (1 - g) x, with g = sigmoid(W_g x + b_g) and t = relu(W_t x + b_t)."""
    g = torch.sigmoid(x @ W_g.T + b_g)
    t = torch.relu(x @ W_t.T + b_t)
    return g * t + (1 - g) * x


def _highways() -> list[Arguments]:
    return [
        (some(B, F, seed=F), some(F, F, seed=F + 1), some(F, seed=F + 2), some(F, F, seed=F + 3),
         some(F, seed=F + 4))
        for B, F in ((2, 3), (7, 5))
    ]  # fmt: skip


EXERCISE = Exercise(
    number="9.2",
    task="a highway layer",
    reference=highway,
    takes="x (B, F); W_g, W_t (F, F), rows are outputs; b_g, b_t (F,)",
    gives="a matrix (B, F)",
    cases=_highways,
    hints=(
        "How much of each feature is transformed, and how much is passed on?",
        "g = sigmoid(x @ W_g.T + b_g), t = relu(x @ W_t.T + b_t).",
        "g * t + (1 - g) * x",
    ),
    misconceptions=mistakes("""
        gate on the other branch
            g * t + (1 - g) * x => g * x + (1 - g) * t
            Your gate multiplies x, and 1 - g what is transformed. Here g = 1 means transformed:
            g t + (1 - g) x. (The published files call g the carry gate all the same, which has
            cost many people a day.)
        no relu
            torch.relu(x @ W_t.T + b_t) => x @ W_t.T + b_t
            The transformed branch goes through relu.
        tanh
            torch.relu => torch.tanh
            ELMo's highway uses relu where you use tanh.
        sigmoid on both
            torch.relu => torch.sigmoid
            Only the gate is a sigmoid. The transformed branch is relu(W_t x + b_t).
        residual
            g * t + (1 - g) * x => g * t + x
            You add the whole x. A highway passes on only 1 - g of it: what is gained on one
            branch is lost on the other.
        no biases
            W_g.T + b_g => W_g.T &&
            W_t.T + b_t => W_t.T
            The biases are missing: b_g inside the sigmoid, b_t inside the relu.
        no bias of the gate
            W_g.T + b_g => W_g.T
            The gate's bias is missing: g = sigmoid(W_g x + b_g).
        no bias of the branch
            W_t.T + b_t => W_t.T
            The branch's bias is missing: t = relu(W_t x + b_t).
        bias outside the gate
            torch.sigmoid(x @ W_g.T + b_g) => torch.sigmoid(x @ W_g.T) + b_g
            The gate's bias belongs inside the sigmoid: outside, g leaves [0, 1].
        bias outside the branch
            torch.relu(x @ W_t.T + b_t) => torch.relu(x @ W_t.T) + b_t
            The branch's bias belongs inside the relu.
        nothing passed on
            g * t + (1 - g) * x => g * t
            The second half is missing: (1 - g) times x itself.
        gate without sigmoid
            torch.sigmoid(x @ W_g.T + b_g) => x @ W_g.T + b_g
            A gate lies between 0 and 1: g = sigmoid(W_g x + b_g).
        matrices the wrong way round
            W_g.T => W_g &&
            W_t.T => W_t
            Your matrices are transposed: their rows are outputs, so it is x @ W.T.
        weights exchanged
            sigmoid(x @ W_g.T + b_g) => sigmoid(x @ W_t.T + b_t) &&
            relu(x @ W_t.T + b_t) => relu(x @ W_g.T + b_g)
            W_g belongs to the gate, W_t to the branch that is transformed.
    """),
)
