"""Exercise 2.3: the bound."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception


def largest_allowed(U: Tensor, slope: float, lag: int) -> Tensor:
    """Return the bound on the norm of a product of `lag` Jacobians."""
    return (slope * torch.linalg.matrix_norm(U, ord=2)) ** lag


EXERCISE = Exercise(
    number="2.3",
    task="the bound",
    reference=largest_allowed,
    takes="U (H, H), slope a number, lag a whole number",
    gives="one number",
    example=(torch.tensor([[0.0, 2.0], [0.0, 0.0]]), 0.5, 3),
    cases=lambda: [
        (some(H, H, seed=20 + H), slope, lag)
        for H, slope, lag in ((3, 1.0, 5), (5, 0.25, 7), (7, 0.5, 2))
    ],
    hints=(
        "The norm of a product is at most the product of the norms. How many factors?",
        "Each factor is diag(g') U. A diagonal matrix stretches by at most its largest entry.",
        "(slope * torch.linalg.matrix_norm(U, ord=2)) ** lag",
    ),
    misconceptions=(
        Misconception(
            "spectral radius",
            lambda U, slope, lag: (slope * torch.linalg.eigvals(U).abs().max()) ** lag,
            "You took the spectral radius, the largest eigenvalue. A matrix can stretch a vector "
            "by more than that: a bound needs the norm, the largest singular value.",
        ),
        Misconception(
            "Frobenius norm",
            lambda U, slope, lag: (slope * U.norm()) ** lag,
            "U.norm() is the Frobenius norm. That bounds too, but never tightly: ask for the "
            "spectral norm, torch.linalg.matrix_norm(U, ord=2).",
        ),
        Misconception(
            "no slope",
            lambda U, slope, lag: torch.linalg.matrix_norm(U, ord=2) ** lag,
            "The slope is missing: every factor is diag(g') U, and its norm is at most slope times "
            "the norm of U.",
        ),
        Misconception(
            "norm of the power",
            lambda U, slope, lag: (
                slope**lag * torch.linalg.matrix_norm(torch.linalg.matrix_power(U, lag), ord=2)
            ),
            "You took the norm of U to the power of the lag. That is smaller, and no bound: slopes "
            "stand between the factors, and they may undo what U cancels.",
        ),
        Misconception(
            "slope only once",
            lambda U, slope, lag: slope * torch.linalg.matrix_norm(U, ord=2) ** lag,
            "The slope stands outside the power. Every step brings its own slope, so it is raised "
            "to the lag together with the norm.",
        ),
        Misconception(
            "times the lag",
            lambda U, slope, lag: slope * torch.linalg.matrix_norm(U, ord=2) * lag,
            "You multiplied by the lag. The factors multiply each other, so the lag is an "
            "exponent: that is why the bound is exponential.",
        ),
        Misconception(
            "one factor too few",
            lambda U, slope, lag: (slope * torch.linalg.matrix_norm(U, ord=2)) ** (lag - 1),
            "One factor is missing: a lag of k steps has k factors.",
        ),
        Misconception(
            "one factor too many",
            lambda U, slope, lag: (slope * torch.linalg.matrix_norm(U, ord=2)) ** (lag + 1),
            "There is one factor too many: a lag of k steps has k factors.",
        ),
        Misconception(
            "slope raised alone",
            lambda U, slope, lag: slope**lag * torch.linalg.matrix_norm(U, ord=2),
            "Only the slope is raised to the lag. Every step brings U as well: slope times norm, "
            "to the lag.",
        ),
        Misconception(
            "no power",
            lambda U, slope, lag: slope * torch.linalg.matrix_norm(U, ord=2),
            "This bounds one step. Over a lag the factors multiply: to the power of the lag.",
        ),
        Misconception(
            "slope added",
            Change("slope * torch", "slope + torch"),
            "You added slope and norm. The factor of a step is diag(g') U: its norm is at most "
            "their product.",
        ),
        Misconception(
            "largest entry",
            lambda U, slope, lag: (slope * U.abs().max()) ** lag,
            "You took the largest entry of U. Many small entries together can stretch a vector "
            "further: take the largest singular value.",
        ),
        Misconception(
            "largest entry with its sign",
            lambda U, slope, lag: (slope * U.max()) ** lag,
            "U.max() is the largest entry. How far U can stretch a vector is another number: the "
            "largest singular value, torch.linalg.matrix_norm(U, ord=2).",
        ),
        Misconception(
            "determinant",
            lambda U, slope, lag: (slope * torch.linalg.det(U).abs()) ** lag,
            "The determinant says how volumes change. How far one vector can be stretched is the "
            "largest singular value.",
        ),
        Misconception(
            "the one-norm",
            Change("ord=2", "ord=1"),
            "ord=1 is the largest sum of a column. The bound speaks of lengths: ord=2, the largest "
            "singular value.",
        ),
        Misconception(
            "smallest singular value",
            lambda U, slope, lag: (slope * torch.linalg.svdvals(U).min()) ** lag,
            "That is the smallest singular value: how much every vector is stretched at least. A "
            "bound from above needs the largest.",
        ),
        Misconception(
            "the longest row",
            lambda U, slope, lag: (slope * U.norm(dim=1).max()) ** lag,
            "You took the longest row. Rows together stretch further: take the largest singular "
            "value of U.",
        ),
        Misconception(
            "all singular values",
            lambda U, slope, lag: (slope * torch.linalg.svdvals(U).sum()) ** lag,
            "You added all singular values. No vector is stretched by all of them at once: take "
            "the largest.",
        ),
        Misconception(
            "entry by entry",
            lambda U, slope, lag: (slope * U) ** lag,
            "You raised every entry of U. You need one number: first the norm of U, then the "
            "power.",
        ),
    ),
)
