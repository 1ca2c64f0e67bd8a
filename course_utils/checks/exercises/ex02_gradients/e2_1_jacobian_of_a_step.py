"""Exercise 2.1: the Jacobian of one step."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise
from course_utils.checks.mistakes import mistakes


def jacobian_of_a_step(a_t: Tensor, U: Tensor) -> Tensor:
    """Return dh_t/dh_{t-1} for h_t = tanh(a_t)."""
    slope = 1 - torch.tanh(a_t) ** 2
    return slope.unsqueeze(1) * U


EXERCISE = Exercise(
    number="2.1",
    task="the Jacobian of one step",
    reference=jacobian_of_a_step,
    takes="a_t (H,), U (H, H)",
    gives="a matrix (H, H)",
    example=(torch.tensor([0.0, 1.0]), torch.ones(2, 2)),
    cases=lambda: [(some(H, seed=H), some(H, H, seed=10 + H)) for H in (3, 5, 7)],
    hints=(
        "h_t[i] depends on h_{t-1}[j] only through a_t[i]. Write the chain rule for that pair.",
        "dh_t[i]/dh_{t-1}[j] = g'(a_t[i]) U[i, j], and tanh' = 1 - tanh^2. Which axis of U does "
        "the slope run along?",
        "Make the slope a column, slope.unsqueeze(1), and multiply it with U: row i is scaled.",
    ),
    misconceptions=mistakes("""
        slope on the columns
            slope.unsqueeze(1) * U => slope * U
            You scaled the columns of U: that is U diag(g'). The slope belongs to the unit that
            is written, so it scales the rows: diag(g') U.
        transposed
            slope.unsqueeze(1) * U => (slope.unsqueeze(1) * U).T
            This is the transposed Jacobian. Row i must hold how h_t[i] answers to every unit of
            h_{t-1}; you would need the transpose for a gradient written as a row.
        no slope
            slope.unsqueeze(1) * U => U
            This is U alone, the Jacobian of a linear step. The activation sits between a_t and
            h_t, so the chain rule brings in its slope g'(a_t).
        the activation instead of its slope
            1 - torch.tanh(a_t) ** 2 => torch.tanh(a_t)
            You used tanh(a_t) itself where its slope 1 - tanh(a_t)^2 belongs.
        slope of the wrong thing
            torch.tanh(a_t) ** 2 => a_t**2
            1 - a_t^2 forgets the tanh: the slope is 1 - h_t^2, and h_t = tanh(a_t).
        slope on rows, U transposed
            slope.unsqueeze(1) * U => slope.unsqueeze(1) * U.T
            U is transposed, the slope is in its place: diag(g') U, with U as it is.
        tanh without the square
            torch.tanh(a_t) ** 2 => torch.tanh(a_t)
            The slope of tanh is 1 - tanh^2: the square is missing.
        tanh on the columns
            1 - torch.tanh(a_t) ** 2 => torch.tanh(a_t) &&
            slope.unsqueeze(1) * U => slope * U
            You used tanh(a_t) where its slope belongs, and on the columns: the slope 1 -
            tanh(a_t)^2 scales the rows.
        1 - a^2 on the columns
            torch.tanh(a_t) ** 2 => a_t**2 &&
            slope.unsqueeze(1) * U => slope * U
            1 - a_t^2 forgets the tanh, and it scales the columns: the slope 1 - tanh(a_t)^2
            scales the rows.
        only the slopes
            slope.unsqueeze(1) * U => torch.diag(slope)
            This is dh_t/da_t. The way from h_{t-1} to a_t is missing: times U.
        a vector
            slope.unsqueeze(1) * U => U @ slope
            You multiplied matrix and vector: what comes out is a vector. The Jacobian is a
            matrix, every row of U scaled by its unit's slope.
        sign of the square
            1 - torch => 1 + torch
            The slope of tanh is 1 MINUS tanh^2: it is never above 1.
        slope of a sigmoid
            1 - torch.tanh(a_t) ** 2 => torch.sigmoid(a_t) * (1 - torch.sigmoid(a_t))
            That is the slope of a sigmoid. These are tanh units: 1 - tanh(a_t)^2.
        diagonal, entry by entry
            slope.unsqueeze(1) * U => torch.diag(slope) * U
            diag(g') * U multiplies entry by entry, and all but the diagonal is lost. The
            product of two matrices is @.
        slopes added up
            slope.unsqueeze(1) * U => slope.sum() * U
            You added the slopes up to one number. Each unit has its own, and it scales its own
            row.
        slope twice
            slope.unsqueeze(1) * U => slope.unsqueeze(1) * U * slope
            The slope stands on both sides. Only the unit that is written goes through the tanh
            at this step: the rows.
        U applied once more
            tanh(a_t) => tanh(U @ a_t)
            a_t is already the sum after U. The slope is taken at a_t itself.
    """),
)
