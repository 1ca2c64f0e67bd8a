"""Exercise 0.1: one step of one unit."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.exercise import Arguments, Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def one_step(u: Tensor, h_before: Tensor, x: Tensor) -> Tensor:
    """Return the next state of one recurrent unit."""
    return torch.tanh(u * h_before + x)


def _cases() -> list[Arguments]:
    numbers = ((0.8, 0.5, 0.25), (-1.5, 0.3, 0.0), (2.0, -0.7, 1.0))
    return [tuple(torch.tensor(n, dtype=torch.float64) for n in case) for case in numbers]


EXERCISE = Exercise(
    number="0.1",
    task="one step of one unit",
    reference=one_step,
    takes="u, h_before and x: one number each (tensors without dimensions)",
    gives="one number",
    example=(torch.tensor(0.5), torch.tensor(1.0), torch.tensor(0.25)),
    cases=_cases,
    hints=(
        "The formula stands above the next explorer: which three things are combined?",
        "Multiply u by the old state, add x, then squash.",
        "The arguments are tensors, so the sum has a method: (u * h_before + x).tanh().",
    ),
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
        *mistakes("""
            input inside the product
                h_before + x => (h_before + x)
                The weight u belongs to the old state alone; the input is added unweighted.
            input after the tanh
                (u * h_before + x) => (u * h_before) + x
                You squash first and add the input afterwards. The tanh goes around the whole sum,
                the input included.
            a sigmoid
                torch.tanh => torch.sigmoid
                This is a sigmoid, between 0 and 1. The state needs a sign: tanh, between -1 and 1.
            the input is weighted
                u * h_before + x => h_before + u * x
                You weight the input and not the state. It is the old state that u multiplies.
            no product
                u * h_before => u + h_before
                You added u. It is a weight: it multiplies the old state.
            no memory
                u * h_before + x => x + 0 * u * h_before
                The old state is missing: without u * h_before this unit remembers nothing.
            added to the old state
                torch => h_before + torch
                You add the result to the old state. The new state replaces the old one: nothing but
                the tanh is returned.
            everything multiplied
                h_before + x => h_before * x
                The input is added, not multiplied.
            squashed twice
                u * h_before => torch.tanh(u * h_before)
                There is one tanh too many: only the whole sum is squashed, once.
            tan
                torch.tanh => torch.tan
                tan is the tangent of an angle. Squashing is done by tanh, the hyperbolic tangent.
        """),
        Misconception(
            "weight outside",
            lambda u, h_before, x: u * torch.tanh(h_before + x),
            "The weight stands outside the tanh. It multiplies the old state, inside.",
        ),
        *mistakes("""
            subtracted
                h_before + x => h_before - x
                You subtract the input; it is added.
            relu
                torch.tanh => torch.relu
                This cuts negative sums off (relu). The lecture's unit squashes with tanh, which
                keeps the sign.
        """),
    ),
)
