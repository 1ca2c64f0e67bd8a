"""Exercise 1.6: BPTT for one matrix."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.change import Change
from course_utils.checks.exercise import Arguments, Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def gradient_of_U(h: Tensor, U: Tensor, from_losses: Tensor) -> Tensor:
    """Return dJ/dU of tanh steps; h is (T + 1, H) with h[0] first, from_losses (T, H) dJ_t/dh_t."""
    total, back = torch.zeros_like(U), torch.zeros_like(h[0])
    for t in range(len(from_losses), 0, -1):
        d_a = (from_losses[t - 1] + back) * (1 - h[t] ** 2)
        total = total + torch.outer(d_a, h[t - 1])
        back = U.T @ d_a
    return total


def _bptt_cases() -> list[Arguments]:
    sizes = ((5, 3), (7, 2))
    return [
        (some(T + 1, H, seed=T).tanh(), some(H, H, seed=H), some(T, H, seed=T * H))
        for T, H in sizes
    ]


EXERCISE = Exercise(
    number="1.6",
    task="BPTT for one matrix",
    reference=gradient_of_U,
    takes="h (T + 1, H) with h[0] first, U (H, H), from_losses (T, H)",
    gives="a tensor (H, H)",
    example=(torch.tensor([[1.0], [0.5]]), torch.tensor([[1.0]]), torch.tensor([[2.0]])),
    cases=_bptt_cases,
    hints=(
        "Walk from the last step to the first and carry one vector: dJ/dh_t from later steps.",
        "At step t: d_a = (from_losses[t-1] + back) * (1 - h[t]**2). What does U get of it, and "
        "what goes on to step t-1?",
        "total += torch.outer(d_a, h[t-1]) and then back = U.T @ d_a.",
    ),
    misconceptions=(
        *mistakes("""
            h_t for h_{t-1}
                outer(d_a, h[t - 1]) => outer(d_a, h[t])
                You multiply with h_t. U met the state before, so its gradient holds h_{t-1}.
            no way back
                (from_losses[t - 1] + back) => from_losses[t - 1]
                Every step counts only its own loss here. What later losses say of h_t comes back
                through U and has to be added.
        """),
        Misconception(
            "no slope",
            Change(" * (1 - h[t] ** 2)", ""),
            "The slope of the tanh is missing: dJ/da_t = dJ/dh_t times 1 - h_t^2.",
        ),
        *mistakes("""
            not transposed
                U.T @ d_a => U @ d_a
                On the way back U is transposed: what unit i said to all others, it now hears.
            outer product turned round
                return total => return total.T
                This is the transposed gradient. U[i, j] leads from unit j to unit i: outer(d_a,
                h_{t-1}), in this order.
            slope not on the way back
                U.T @ d_a => U.T @ (from_losses[t - 1] + back)
                What goes on to the step before is U.T times dJ/dh_t. The slope belongs there too:
                U.T @ d_a, for the way back leads through the tanh.
            slope on what comes back only
                (from_losses[t - 1] + back) * => from_losses[t - 1] + back *
                You multiply only what comes back by the slope. This step's own loss reaches a_t
                through the same tanh: slope times the sum of both.
        """),
        Misconception(
            "slope on the loss only",
            Change(
                "(from_losses[t - 1] + back) * (1 - h[t] ** 2)",
                "from_losses[t - 1] * (1 - h[t] ** 2) + back",
            ),
            "You multiply only this step's loss by the slope. What comes back from later steps "
            "goes through the same tanh: slope times the sum of both.",
        ),
        *mistakes("""
            carried and added up
                back = U.T => back = back + U.T
                You add to what you carry, step after step (back += ...). Each step hands on one
                vector, which replaces the one before: back = U.T @ d_a.
            overwritten, not added
                total + torch => torch
                Only one step's part is left: you overwrite the gradient where you must add. All
                steps share U.
            returned inside the loop
                back = U.T @ d_a => return total
                Your function returns after the first turn of the loop: the `return` is indented too
                far.
            mean over time
                return total => return total / len(from_losses)
                You divided by T. Whether J is a mean is already in `from_losses`; the steps' parts
                are added.
            walked forwards
                range(len(from_losses), 0, -1) => range(1, len(from_losses) + 1)
                You walk from the first step to the last. What later losses say must be known first:
                begin at T.
            slope of the state before
                h[t] ** 2 => h[t - 1] ** 2
                Your slope is that of h_{t-1}. The tanh at step t gave h_t: 1 - h[t]**2.
            tanh of a state
                h[t] ** 2 => torch.tanh(h[t]) ** 2
                You put h_t through tanh again. h_t = tanh(a_t) already, so the slope is 1 -
                h[t]**2.
            slope not squared
                h[t] ** 2 => h[t]
                The slope of tanh is 1 - h_t^2: the square is missing.
            last loss left out
                (from_losses[t - 1] + back) => (from_losses[t - 1] * (t < len(from_losses)) + back)
                The last step's own loss is missing: from_losses[T-1] belongs to h[T].
            sign turned
                return total => return -total
                The sign is reversed: that is the direction of a training step. You need the
                gradient.
        """),
    ),
)
