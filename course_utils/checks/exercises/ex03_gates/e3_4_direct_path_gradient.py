"""Exercise 3.4: the gradient along the direct path."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise, Misconception


def direct_path_gradient(f: Tensor) -> Tensor:
    """Return dc_T/dc_0 past the gates' inputs, from the forget gates of the steps 1 to T."""
    return f.prod(dim=0)


EXERCISE = Exercise(
    number="3.4",
    task="the gradient along the direct path",
    reference=direct_path_gradient,
    takes="f (T, B, H): the forget gates of steps 1 to T",
    gives="a tensor (B, H)",
    example=(torch.tensor([[[0.5, 1.0]], [[0.5, 0.25]]]),),
    cases=lambda: [
        (torch.sigmoid(some(T, B, H, seed=T)),) for T, B, H in ((7, 3, 5), (2, 5, 3), (11, 2, 7))
    ],
    hints=(
        "c_t = f_t c_{t-1} + i_t g_t. Hold the gates and the candidate fixed: what is left of the "
        "derivative by c_{t-1}?",
        "One factor a step, each unit for itself. The shape is (T, B, H), and T must go.",
        "f.prod(dim=0)",
    ),
    misconceptions=(
        Misconception(
            "a sum",
            lambda f: f.sum(dim=0),
            "You added the gates. Steps follow each other, so their factors multiply.",
        ),
        Misconception(
            "the mean gate, T times",
            lambda f: f.mean(dim=0) ** len(f),
            "You take the mean gate T times. One step with its gate shut wipes the memory, however "
            "open the others are: multiply the gates themselves.",
        ),
        Misconception(
            "the last factor missing",
            lambda f: f[:-1].prod(dim=0),
            "One factor is missing. T steps lead from c_0 to c_T, and each brings its gate.",
        ),
        Misconception(
            "the first factor missing",
            lambda f: f[1:].prod(dim=0),
            "One factor is missing: f[0] belongs to the first step, from c_0 to c_1.",
        ),
        Misconception(
            "the slope of the gate",
            lambda f: (f * (1 - f)).prod(dim=0),
            "f (1 - f) is the slope of the gate with respect to its sum. The direct path "
            "multiplies by the gate's value itself.",
        ),
        Misconception(
            "all units multiplied",
            lambda f: f.prod(dim=0).prod(dim=-1, keepdim=True).expand_as(f[0]),
            "You multiplied over the units as well. Each cell has a path of its own: only time is "
            "multiplied away.",
        ),
        Misconception(
            "the mean",
            lambda f: f.mean(dim=0),
            "You averaged the gates. Steps follow each other, so their factors multiply.",
        ),
        Misconception(
            "the last gate",
            lambda f: f[-1],
            "This is the last step alone. T steps lead from c_0 to c_T, and each brings its gate.",
        ),
        Misconception(
            "the first gate",
            lambda f: f[0],
            "This is the first step alone. T steps lead from c_0 to c_T, and each brings its gate.",
        ),
        Misconception(
            "what is erased",
            lambda f: (1 - f).prod(dim=0),
            "1 - f is what is erased. What passes is f.",
        ),
        Misconception(
            "the first gate to a power",
            lambda f: f[0] ** len(f),
            "You took the first gate to the power T. Every step has a gate of its own: multiply "
            "them.",
        ),
        Misconception(
            "every lag",
            lambda f: f.cumprod(dim=0),
            "These are the products up to every step. You need the last of them: (B, H).",
        ),
        Misconception(
            "one number",
            lambda f: f.prod(),
            "You multiplied everything into one number. Only time is multiplied away: "
            "f.prod(dim=0).",
        ),
        Misconception(
            "over the batch",
            lambda f: f.prod(dim=1),
            "You multiplied over the sequences of the batch. Time is the first axis: dim=0.",
        ),
        Misconception(
            "over the units",
            lambda f: f.prod(dim=-1),
            "You multiplied over the units. Time is the first axis: dim=0.",
        ),
        Misconception(
            "logarithms",
            lambda f: f.log().sum(dim=0),
            "This is the logarithm of the answer: exp is missing.",
        ),
        Misconception(
            "the two ends",
            lambda f: f[0] * f[-1],
            "Only the first and the last gate are there. Every step between brings one too.",
        ),
        Misconception(
            "a sigmoid of a gate",
            lambda f: torch.sigmoid(f).prod(dim=0),
            "f holds gates already, between 0 and 1: no sigmoid is needed.",
        ),
    ),
)
