"""Lecture 00: one step of one unit, to see how checks answer."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.exercise import Exercise, Misconception


def one_step(u: Tensor, h_before: Tensor, x: Tensor) -> Tensor:
    """Return the next state of one recurrent unit."""
    return torch.tanh(torch.as_tensor(u * h_before + x))


def _cases() -> list[tuple]:
    numbers = ((0.8, 0.5, 0.25), (-1.5, 0.3, 0.0), (2.0, -0.7, 1.0))
    return [tuple(torch.tensor(n, dtype=torch.float64) for n in case) for case in numbers]


EXERCISES = (
    Exercise(
        number="0.1",
        task="one step of one unit",
        reference=one_step,
        cases=_cases,
        misconceptions=(
            Misconception(
                "no tanh",
                lambda u, h_before, x: u * h_before + x,
                "The sum is right. What is missing is the tanh around it.",
            ),
            Misconception(
                "tanh too early",
                lambda u, h_before, x: u * torch.tanh(h_before) + x,
                "The tanh goes around the whole sum, not only around the old state.",
            ),
            Misconception(
                "input inside the product",
                lambda u, h_before, x: torch.tanh(u * (h_before + x)),
                "The weight u belongs to the old state alone; the input is added unweighted.",
            ),
        ),
        hints=(
            "The formula stands above the next explorer: which three things are combined?",
            "Multiply u by the old state, add x, then squash.",
            "The arguments are tensors, so the sum has a method: (u * h_before + x).tanh().",
        ),
    ),
)
