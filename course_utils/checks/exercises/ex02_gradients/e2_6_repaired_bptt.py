"""Exercise 2.6: find two bugs in a walk back."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise
from course_utils.checks.mistakes import mistakes


def repaired_bptt(U: Tensor, states: Tensor, d_last: Tensor) -> Tensor:
    """Return dJ/dU from states h_0 to h_T, (T + 1, H), and dJ/dh_T, (H,)."""
    d_U, d_h = torch.zeros_like(U), d_last
    for t in range(len(states) - 1, 0, -1):
        d_a = (1 - states[t] ** 2) * d_h
        d_U = d_U + torch.outer(d_a, states[t - 1])
        d_h = U.T @ d_a
    return d_U


EXERCISE = Exercise(
    number="2.6",
    task="find two bugs in a walk back",
    kind="debug",
    reference=repaired_bptt,
    takes="U: (H, H); states: (T + 1, H), h_0 first; d_last: (H,), the gradient at h_T",
    gives="dJ/dU, a matrix (H, H)",
    example=(
        torch.tensor([[2.0]]).double(),
        torch.tensor([[1.0], [0.0], [0.0]]).double(),
        torch.tensor([1.0]).double(),
    ),
    cases=lambda: [
        (some(H, H, seed=40 + T), torch.tanh(some(T + 1, H, seed=T)), some(H, seed=50 + T))
        for T, H in ((2, 1), (7, 5), (4, 2))
    ],
    hints=(
        "Take one unit and two steps, as in the example, and write down d_U after each pass.",
        "(2.6) is a sum over the steps, and its last factor holds h_{k-1} fixed: which state does "
        "U multiply at step t?",
        "d_U = zeros before the loop; inside, d_U = d_U + torch.outer(d_a, states[t - 1]).",
    ),
    misconceptions=mistakes("""
        unchanged
            d_U + torch.outer(d_a, states[t - 1]) => torch.outer(d_a, states[t])
            Both bugs are still in it. Follow d_U through two steps by hand: which value does it
            have at the end, and which state does it hold?
        overwritten
            d_U + torch => torch
            One bug is left. Each step makes a new d_U and forgets the one before, so only the first
            step's term is returned. U acts at every step: its terms add up.
        the state that was written
            states[t - 1] => states[t]
            One bug is left. At step t, U met the state that went in, h_{t-1}, not the state h_t
            that came out. Which index is that?
        the slope of the step before
            states[t] ** 2 => states[t - 1] ** 2
            You moved one index too many. The slope belongs to the state that was written: 1 -
            h_t^2. Only the state that U met is h_{t-1}.
        the walk added up
            d_h = U.T => d_h = d_h + U.T
            You add up d_h as well. The loss is at the last step only, so the gradient at h_{t-1} is
            U.T @ d_a and nothing else; what adds up is d_U.
        the loss at every step
            d_h = U.T @ d_a => d_h = U.T @ d_a + d_last
            You add d_last at every step. The loss stands at the last step only, so its gradient
            enters once, before the loop.
        no slope on the way back
            U.T @ d_a => U.T @ d_h
            The way back leaves the tanh out. What goes through U.T is d_a; that line was right.
        U without its transpose
            U.T @ d_a => U @ d_a
            The line with U.T was right. Forwards U takes h_{t-1} to a_t; the way back goes through
            its transpose.
        the way back left out
            d_h = U.T @ d_a => d_h = d_h
            d_h stays the last step's gradient in your loop. It has to be carried back: d_h = U.T @
            d_a, once a step.
        outer product turned round
            return d_U => return d_U.T
            Your matrix is the transpose. U[i, j] takes state j to unit i, so the row belongs to
            d_a: outer(d_a, state).
        no slope
            (1 - states[t] ** 2) * d_h => d_h
            The slope of tanh is gone. The line with 1 - states[t] ** 2 was right.
        tanh of a state
            states[t] ** 2 => torch.tanh(states[t]) ** 2
            You took tanh of a state that is one already: h_t = tanh(a_t), so the slope is 1 -
            h_t^2. That line was right.
        returned inside the loop
            d_h = U.T @ d_a => return d_U
            Only the last step's term comes back. Does the `return` stand inside the loop?
        forwards
            range(len(states) - 1, 0, -1) => range(1, len(states))
            You walk forwards in time. The gradient is known at the last state and is carried back
            from there; the range was right.
        first step left out
            - 1, 0, -1 => - 1, 1, -1
            The walk ends one step too early: h_1 was made by U from h_0, so t = 1 counts. The range
            was right.
        one step too many
            - 1, 0, -1 => - 1, -1, -1
            You walk to t = 0. Nothing made h_0, and states[-1] is the last state, not one before
            the first. The range was right.
        the mean of the steps
            return d_U => return d_U / (len(states) - 1)
            You took the mean over the steps. (2.6) is a sum: U counts every time it acts.
    """),
)
