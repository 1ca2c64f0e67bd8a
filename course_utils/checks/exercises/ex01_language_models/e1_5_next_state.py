"""Exercise 1.5: one Elman step."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.change import Change
from course_utils.checks.exercise import Arguments, Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def next_state(x_t: Tensor, h_before: Tensor, W: Tensor, U: Tensor, b: Tensor) -> Tensor:
    """Return h_t = tanh(W x_t + U h_{t-1} + b)."""
    return torch.tanh(W @ x_t + U @ h_before + b)


def _step_cases() -> list[Arguments]:
    sizes = ((3, 5), (7, 2))
    return [
        (some(D, seed=D), some(H, seed=H), some(H, D, seed=11), some(H, H, seed=12) / 2,
         some(H, seed=13))
        for D, H in sizes
    ]  # fmt: skip


EXERCISE = Exercise(
    number="1.5",
    task="one Elman step",
    reference=next_state,
    takes="x_t (D,), h_before (H,), W (H, D), U (H, H), b (H,)",
    gives="a tensor (H,)",
    example=(
        torch.tensor([1.0]),
        torch.tensor([0.5, 0.0]),
        torch.tensor([[1.0], [-1.0]]),
        torch.eye(2),
        torch.zeros(2),
    ),
    cases=_step_cases,
    hints=(
        "Three things are added up before the tanh: which?",
        "W meets the input, U meets the old state; both are matrix times vector.",
        "torch.tanh(W @ x_t + U @ h_before + b)",
    ),
    misconceptions=(
        *mistakes("""
            no memory
                U @ h_before + b => b
                The old state is missing: without U h_{t-1} this is a feed-forward layer.
            transposed U
                x_t + U => x_t + U.T
                U is transposed. Row i of U holds what unit i hears: U @ h_before.
            bias forgotten
                h_before + b => h_before
                The bias b is missing.
        """),
        Misconception(
            "no squashing",
            lambda x_t, h_before, W, U, b: W @ x_t + U @ h_before + b,
            "This is a_t, the sum before the activation. Put tanh around it.",
        ),
        Misconception(
            "bias outside",
            lambda x_t, h_before, W, U, b: torch.tanh(W @ x_t + U @ h_before) + b,
            "The bias belongs inside the tanh; outside, states can leave (-1, 1).",
        ),
        Misconception(
            "a sigmoid",
            Change("torch.tanh", "torch.sigmoid"),
            "This is a sigmoid, between 0 and 1. Line (1.11) squashes with tanh.",
        ),
        Misconception(
            "tanh around the input only",
            lambda x_t, h_before, W, U, b: torch.tanh(W @ x_t) + U @ h_before + b,
            "The tanh stands around the input alone. It goes around the whole sum.",
        ),
        Misconception(
            "tanh around the memory only",
            lambda x_t, h_before, W, U, b: W @ x_t + torch.tanh(U @ h_before + b),
            "The tanh stands around the memory alone. It goes around the whole sum, with what the "
            "input brings.",
        ),
        Misconception(
            "two tanh",
            lambda x_t, h_before, W, U, b: torch.tanh(W @ x_t) + torch.tanh(U @ h_before) + b,
            "You squash the two parts one by one. They are added first, with the bias, then "
            "squashed together.",
        ),
        *mistakes("""
            bias twice
                h_before + b => h_before + 2 * b
                The bias is added twice. PyTorch keeps two biases; line (1.11) has one.
            relu
                torch.tanh => torch.relu
                This cuts negative sums off (relu). Line (1.11) squashes with tanh.
            the old state squashed again
                h_before => torch.tanh(h_before)
                You squash the old state once more. It is a state already: U meets it as it is.
            U left out
                U @ h_before => h_before
                U is missing: the old state is added unit by unit, so no unit hears another.
            U entry by entry
                U @ h_before => U * h_before
                You multiplied U entry by entry with *. It is a matrix times a vector: U @ h_before.
            added to the old state
                torch => h_before + torch
                You add the result to the old state. An Elman network computes its whole state anew.
            no input
                W @ x_t + U => U
                The input is missing: W @ x_t.
        """),
    ),
)
