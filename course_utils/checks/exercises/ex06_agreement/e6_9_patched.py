"""Exercise 6.9: move one unit from one text into another."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Arguments, Exercise
from course_utils.checks.mistakes import mistakes


def patched(
    x: Tensor, other: Tensor, W: Tensor, U: Tensor, b: Tensor, unit: int, since: int
) -> Tensor:
    """Return the last state (H,) on x, one unit patched in from `other` from step `since` on."""
    h, given = x.new_zeros(len(U)), x.new_zeros(len(U))
    for t in range(len(x)):
        h = torch.tanh(W @ x[t] + U @ h + b)
        given = torch.tanh(W @ other[t] + U @ given + b)
        if t >= since:
            h[unit] = given[unit]
    return h


def _cases() -> list[Arguments]:
    found = []
    for T, D, H, unit, since in ((4, 2, 3, 1, 2), (6, 3, 5, 4, 1), (7, 2, 4, 0, 3)):
        x, other = some(T, D, seed=T), some(T, D, seed=T + 20)
        W, U, b = some(H, D, seed=H), some(H, H, seed=H + 9), some(H, seed=H + 5)
        found.append((x, other, W, U, b, unit, since))
    return found


EXERCISE = Exercise(
    number="6.9",
    task="move one unit from one text into another",
    kind="build",
    reference=patched,
    takes="x and other (T, D), W (H, D), U (H, H), b (H,), unit and since, whole numbers",
    gives="the last state on x, a tensor (H,)",
    cases=_cases,
    hints=(
        "Two texts are read side by side by one network. Which state is changed, and from which?",
        "Two states, one loop: after both have taken step t, copy one number, if t is late enough.",
        "if t >= since: h[unit] = given[unit], at the end of the loop; return h.",
    ),
    misconceptions=mistakes("""
        one step late
            t >= since => t > since
            Your patch begins one step late: steps are counted from 0, and step `since` has it.
        one step early
            t >= since => t >= since - 1
            Your patch begins one step early: steps are counted from 0, so step `since` is the
            first that has it.
        one step only
            t >= since => t == since
            You patch at one step only; from then on the unit goes its own way again.
        the last step only
            t >= since => t == len(x) - 1
            You patch at the last step only: what the others heard of the unit before is its own.
        the whole state
            h[unit] = given[unit] => h = given.clone()
            You move the whole state, so the network reads the other text. Move one unit.
        the other way round
            h[unit] = given[unit] => given[unit] = h[unit] &&
            return h => return given
            You move the unit from x into the other text. It is asked for the other way round.
        until then
            t >= since => t < since
            You patch before step `since` and stop there. The patch begins at `since` and stays.
        held at one value
            U @ given + b) => U @ given + b) if t <= since else given
            You hold the unit at what the other text says at step `since`. The other reading goes
            on: every step takes the value of the same step.
        before the step
            U @ h + b => U @ (h + (t >= since) * torch.eye(len(h))[unit] * (given - h)) + b &&
            h[unit] = given[unit] => h = h.clone()
            You patch before each step, so after the last one the unit says its own.
        from the start
            t >= since => t >= 0
            You patch from the first step on, whatever `since` says.
    """),
)
