"""Exercise 6.8: read a text while one unit is silent."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Arguments, Exercise
from course_utils.checks.mistakes import mistakes


def without_unit(x: Tensor, W: Tensor, U: Tensor, b: Tensor, unit: int) -> Tensor:
    """Return the last state (H,) of an Elman network with one unit silenced at every step."""
    h = x.new_zeros(len(U))
    for x_t in x:
        h = torch.tanh(W @ x_t + U @ h + b)
        h[unit] = 0
    return h


def _cases() -> list[Arguments]:
    sizes = ((4, 2, 3, 1), (6, 3, 5, 4), (7, 2, 4, 0))
    return [
        (some(T, D, seed=T), some(H, D, seed=H), some(H, H, seed=H + 9), some(H, seed=H + 5), unit)
        for T, D, H, unit in sizes
    ]


EXERCISE = Exercise(
    number="6.8",
    task="read a text while one unit is silent",
    kind="build",
    reference=without_unit,
    takes="x (T, D), W (H, D), U (H, H), b (H,) and unit, a whole number",
    gives="the last state, a tensor (H,)",
    cases=_cases,
    hints=(
        "It is the loop of lecture 01 with one line more. Where must that line stand, so that the "
        "next step, too, reads 0?",
        "Start with h of zeros; at every step compute h by (1.2), then change one number of it.",
        "for x_t in x: h = torch.tanh(W @ x_t + U @ h + b), then h[unit] = 0.",
    ),
    misconceptions=mistakes("""
        silent at the end only
            h[unit] = 0 => h = h.clone() &&
            return h => return h * (torch.arange(len(h)) != unit)
            You silence the unit after the last step. The others have listened to it all the time.
        never silent
            h[unit] = 0 => h = h.clone()
            Nothing silences the unit: its state must be 0 after every step.
        before the step
            U @ h + b => U @ (h * (torch.arange(len(h)) != unit)) + b &&
            h[unit] = 0 => h = h.clone()
            You silence the unit before each step, so after the last one it speaks again.
        deaf, not silent
            U @ h + b => (U * (torch.arange(len(h)) != unit)[:, None]) @ h + b &&
            h[unit] = 0 => h = h.clone()
            You keep the unit from hearing the state (row `unit` of U). It still hears x and speaks;
            silent means that its own state is 0.
        another value
            h[unit] = 0 => h[unit] = 1
            You hold the unit at 1. Silent means 0.
    """),
)
