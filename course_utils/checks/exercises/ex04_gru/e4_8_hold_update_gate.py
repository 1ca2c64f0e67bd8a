"""Exercise 4.8: run a GRU with one gate held."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Arguments, Exercise
from course_utils.checks.mistakes import mistakes


def hold_update_gate(x: Tensor, W: Tensor, U: Tensor, b: Tensor, unit: int, value: float) -> Tensor:
    """Return the states (T, B, H) of (4.1) to (4.4) with one unit's u held at every step."""
    H = U.shape[1]
    h, states = x.new_zeros(x.shape[1], H), []
    for x_t in x:
        a_r, a_u, a_n = (x_t @ W.T + b).chunk(3, dim=1)
        U_r, U_u, U_n = U.chunk(3)
        r, u = torch.sigmoid(a_r + h @ U_r.T), torch.sigmoid(a_u + h @ U_u.T)
        u[:, unit] = value
        n = torch.tanh(a_n + (r * h) @ U_n.T)
        h = (1 - u) * h + u * n
        states.append(h)
    return torch.stack(states)


def _cases() -> list[Arguments]:
    found = []
    for T, B, D, H, unit, value in ((5, 2, 2, 4, 3, 0.0), (4, 3, 2, 5, 1, 0.8)):
        W, U = some(3 * H, D, seed=H), some(3 * H, H, seed=H + 9)
        found.append((some(T, B, D, seed=T), W, U, some(3 * H, seed=H + 5), unit, value))
    return found


EXERCISE = Exercise(
    number="4.8",
    task="a GRU with one gate held",
    kind="build",
    reference=hold_update_gate,
    takes="x (T, B, D), W (3H, D), U (3H, H), b (3H,), unit a whole number, value a number",
    gives="a tensor (T, B, H)",
    cases=_cases,
    hints=(
        "It is your step of exercise 4.1 in a loop, with one line more. Where must it stand?",
        "Between the gate and the state: compute u, change one column of it, then go on.",
        "u[:, unit] = value, before h = (1 - u) * h + u * n; collect every h.",
    ),
    misconceptions=mistakes("""
        the whole gate
            u[:, unit] = value => u[:] = value
            Every unit's gate is held. Only one column of u is changed.
        a sequence, not a unit
            u[:, unit] = value => u[unit % len(u)] = value
            You hold all gates of one sequence: u is (B, H), and the unit is its second place.
        the reset gate
            u[:, unit] = value => r[:, unit] = value
            That is the reset gate; you need the update gate.
        the state
            u[:, unit] = value => h[:, unit] = value
            You hold the unit's state. What is held is its gate: what the state then does is the
            question.
        never held
            u[:, unit] = value => u = u.clone()
            The gate is as free as the others: nothing holds it before the state is made.
        the first step only
            u[:, unit] = value => u[:, unit] = value if not states else u[:, unit]
            The gate is held at the first step and free afterwards.
        the keeping share
            u[:, unit] = value => u[:, unit] = 1 - value
            You hold 1 - u at the value. In (4.4) u is the share that is renewed.
        changed over
            (1 - u) * h + u * n => u * h + (1 - u) * n
            Old and new are swapped: in (4.4) u renews.
        reset after the product
            (r * h) @ U_n.T => r * (h @ U_n.T)
            Your reset stands after the product, which is PyTorch's. (4.3) resets first.
        no reset
            (r * h) @ U_n.T => h @ U_n.T
            The reset gate is never used.
    """),
)
