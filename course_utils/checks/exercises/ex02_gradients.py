"""Lecture 02: one step's Jacobian, their product, its bound, clipping, the lag of silence."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from course_utils.analysis.gradients import (
    clip_by_norm,
    jacobian_bound,
    predicted_lag,
    step_jacobian,
)
from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise, Misconception


def jacobian_of_a_step(a_t: Tensor, U: Tensor) -> Tensor:
    """Return dh_t/dh_{t-1} for h_t = tanh(a_t)."""
    return step_jacobian(1 - torch.tanh(a_t) ** 2, U)


def product_of_jacobians(jacobians: Tensor) -> Tensor:
    """Return dh_T/dh_0 from the Jacobians of the steps 1 to T."""
    product = jacobians[0]
    for jacobian in jacobians[1:]:
        product = jacobian @ product
    return product


def largest_allowed(U: Tensor, slope: float, lag: int) -> Tensor:
    """Return the bound on the norm of a product of `lag` Jacobians."""
    return jacobian_bound(U, slope, lag)


def clip(gradients: list[Tensor], threshold: float) -> list[Tensor]:
    """Return the gradients, scaled together to a joint norm of at most threshold."""
    return clip_by_norm(gradients, threshold)


def lag_of_silence(rate: float) -> int:
    """Return the first lag at which rate^lag is lost beside 1 in float32."""
    return predicted_lag(rate)


def _slope(a_t: Tensor) -> Tensor:
    return 1 - torch.tanh(a_t) ** 2


def _joint_norm(gradients: list[Tensor]) -> Tensor:
    return torch.sqrt(sum(g.square().sum() for g in gradients))


EXERCISES = (
    Exercise(
        number="2.1",
        task="the Jacobian of one step",
        reference=jacobian_of_a_step,
        cases=lambda: [(some(H, seed=H), some(H, H, seed=10 + H)) for H in (3, 5, 7)],
        misconceptions=(
            Misconception(
                "slope on the columns",
                lambda a_t, U: U * _slope(a_t),
                "You scaled the columns of U: that is U diag(g'). The slope belongs to the unit "
                "that is written, so it scales the rows: diag(g') U.",
            ),
            Misconception(
                "transposed",
                lambda a_t, U: (_slope(a_t).unsqueeze(1) * U).T,
                "This is the transposed Jacobian. Row i must hold how h_t[i] answers to every "
                "unit of h_{t-1}; you would need the transpose for a gradient written as a row.",
            ),
            Misconception(
                "no slope",
                lambda a_t, U: U * torch.ones_like(a_t),
                "This is U alone, the Jacobian of a linear step. The activation sits between "
                "a_t and h_t, so the chain rule brings in its slope g'(a_t).",
            ),
            Misconception(
                "the activation instead of its slope",
                lambda a_t, U: torch.tanh(a_t).unsqueeze(1) * U,
                "You used tanh(a_t) itself where its slope 1 - tanh(a_t)^2 belongs.",
            ),
            Misconception(
                "slope of the wrong thing",
                lambda a_t, U: (1 - a_t**2).unsqueeze(1) * U,
                "1 - a_t^2 forgets the tanh: the slope is 1 - h_t^2, and h_t = tanh(a_t).",
            ),
        ),
        hints=(
            "h_t[i] depends on h_{t-1}[j] only through a_t[i]. Write the chain rule for that pair.",
            "dh_t[i]/dh_{t-1}[j] = g'(a_t[i]) U[i, j], and tanh' = 1 - tanh^2. "
            "Which axis of U does the slope run along?",
            "Make the slope a column, slope.unsqueeze(1), and multiply it with U: row i is scaled.",
        ),
    ),
    Exercise(
        number="2.2",
        task="the product of Jacobians",
        reference=product_of_jacobians,
        cases=lambda: [(some(T, H, H, seed=T * H),) for T, H in ((3, 5), (7, 3), (2, 11))],
        misconceptions=(
            Misconception(
                "wrong order",
                lambda jacobians: torch.linalg.multi_dot(tuple(jacobians)),
                "The factors are in the wrong order. The last step acts last, so it stands "
                "leftmost: J_T ... J_2 J_1, and matrices do not commute.",
            ),
            Misconception(
                "elementwise product",
                lambda jacobians: jacobians.prod(dim=0),
                "You multiplied entry by entry with *. The chain rule sums over every path "
                "through the units in between: use the matrix product @.",
            ),
            Misconception(
                "the same matrix every step",
                lambda jacobians: torch.linalg.matrix_power(jacobians[0], len(jacobians)),
                "You took the first Jacobian to a power. U is the same at every step, but the "
                "slopes are not: each step has a Jacobian of its own.",
            ),
            Misconception(
                "a sum",
                lambda jacobians: jacobians.sum(dim=0),
                "You added the Jacobians. Steps follow each other, so their Jacobians multiply; "
                "sums appear where paths run in parallel.",
            ),
            Misconception(
                "one step short",
                lambda jacobians: product_of_jacobians(jacobians[:-1]),
                "One factor is missing: the last step. T Jacobians lead from h_0 to h_T.",
            ),
            Misconception(
                "first step left out",
                lambda jacobians: product_of_jacobians(jacobians[1:]),
                "One factor is missing: the first step, jacobians[0] = dh_1/dh_0.",
            ),
        ),
        hints=(
            "Start with T = 2: dh_2/dh_0 = dh_2/dh_1 times dh_1/dh_0. Which index is which?",
            "jacobians[0] is dh_1/dh_0. Begin with it and let every later step act from the left.",
            "product = jacobians[0]; then for each later one: product = jacobian @ product.",
        ),
    ),
    Exercise(
        number="2.3",
        task="the bound",
        reference=largest_allowed,
        cases=lambda: [
            (some(H, H, seed=20 + H), slope, lag)
            for H, slope, lag in ((3, 1.0, 5), (5, 0.25, 7), (7, 0.5, 2))
        ],
        misconceptions=(
            Misconception(
                "spectral radius",
                lambda U, slope, lag: (slope * torch.linalg.eigvals(U).abs().max()) ** lag,
                "You took the spectral radius, the largest eigenvalue. A matrix can stretch a "
                "vector by more than that: a bound needs the norm, the largest singular value.",
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
                "The slope is missing: every factor is diag(g') U, and its norm is at most "
                "slope times the norm of U.",
            ),
            Misconception(
                "norm of the power",
                lambda U, slope, lag: (
                    slope**lag * torch.linalg.matrix_norm(torch.linalg.matrix_power(U, lag), ord=2)
                ),
                "You took the norm of U to the power of the lag. That is smaller, and no bound: "
                "slopes stand between the factors, and they may undo what U cancels.",
            ),
            Misconception(
                "slope only once",
                lambda U, slope, lag: slope * torch.linalg.matrix_norm(U, ord=2) ** lag,
                "The slope stands outside the power. Every step brings its own slope, so it is "
                "raised to the lag together with the norm.",
            ),
            Misconception(
                "times the lag",
                lambda U, slope, lag: slope * torch.linalg.matrix_norm(U, ord=2) * lag,
                "You multiplied by the lag. The factors multiply each other, so the lag is an "
                "exponent: that is why the bound is exponential.",
            ),
        ),
        hints=(
            "The norm of a product is at most the product of the norms. How many factors?",
            "Each factor is diag(g') U. A diagonal matrix stretches by at most its largest entry.",
            "(slope * torch.linalg.matrix_norm(U, ord=2)) ** lag",
        ),
        gradients=False,
    ),
    Exercise(
        number="2.4",
        task="the lag of silence",
        reference=lag_of_silence,
        cases=lambda: [(rate,) for rate in (0.9, 0.5, 0.25, 0.973)],
        misconceptions=(
            Misconception(
                "float64",
                lambda rate: predicted_lag(rate, torch.float64),
                "That is where float64 falls silent, the numbers that Python computes with. "
                "PyTorch's default is float32: half of torch.finfo(torch.float32).eps.",
            ),
            Misconception(
                "the smallest number instead of the resolution",
                lambda rate: math.ceil(math.log(torch.finfo(torch.float32).tiny) / math.log(rate)),
                "You asked when the signal itself becomes zero (finfo.tiny). It is lost much "
                "earlier: when it no longer changes a sum near 1 (half of finfo.eps).",
            ),
            Misconception(
                "one too early",
                lambda rate: math.ceil(math.log(2**-24) / math.log(rate)) - 1,
                "One step too early: at that lag rate**lag is still above half the gap. Round up "
                "to the first lag at which it is not.",
            ),
            Misconception(
                "one too late",
                lambda rate: math.floor(math.log(2**-24) / math.log(rate)) + 1,
                "One step too late where rate**lag meets 2**-24 exactly, as 0.5**24 does: a signal "
                "of just half the gap is rounded away as well.",
            ),
            Misconception(
                "the whole gap",
                lambda rate: math.ceil(math.log(2**-23) / math.log(rate)),
                "That is where the signal reaches the whole gap, 2**-23. What is larger than half "
                "the gap still rounds up to it: the signal is lost at 2**-24.",
            ),
            Misconception(
                "not rounded",
                lambda rate: math.log(2**-24) / math.log(rate),
                "That is the solution of rate ** lag = 2 ** -24, which lies between two steps. The "
                "first whole lag at which the signal is lost is the next one: round up.",
            ),
            Misconception(
                "two kinds of logarithm",
                lambda rate: math.ceil(math.log10(2**-24) / math.log(rate)),
                "You divided a log10 by a natural log. Any base will do, but the same for both.",
            ),
        ),
        hints=(
            "Write the condition: rate ** lag <= 2 ** -24. Solve it for the lag.",
            "Take logarithms. log(rate) is negative: the sign turns, "
            "lag >= log(2 ** -24) / log(rate).",
            "math.ceil(math.log(2**-24) / math.log(rate))",
        ),
        gradients=False,
    ),
    Exercise(
        number="2.5",
        task="clip by norm",
        reference=clip,
        cases=lambda: [
            ([some(3, 5, seed=31), some(7, seed=32)], 1.0),
            ([some(5, seed=33) / 10, some(2, 3, seed=34) / 10], 4.0),
            ([some(11, seed=35), 0.01 * some(2, seed=36)], 0.5),
        ],
        misconceptions=(
            Misconception(
                "every entry for itself",
                lambda gradients, threshold: [g.clamp(-threshold, threshold) for g in gradients],
                "You clipped every entry by itself. That turns the gradient into another "
                "direction; scale all of it by one number instead.",
            ),
            Misconception(
                "every tensor for itself",
                lambda gradients, threshold: [
                    g * min(1.0, threshold / g.norm().item()) for g in gradients
                ],
                "You clipped every tensor by its own norm. The parameters move together, so the "
                "norm is that of all of them taken as one long vector.",
            ),
            Misconception(
                "always to the threshold",
                lambda gradients, threshold: [
                    g * threshold / _joint_norm(gradients) for g in gradients
                ],
                "You also stretch gradients that are shorter than the threshold. Those must stay "
                "as they are: the factor is never above 1.",
            ),
            Misconception(
                "sum of sizes",
                lambda gradients, threshold: [
                    g * min(1.0, threshold / sum(h.abs().sum() for h in gradients).item())
                    for g in gradients
                ],
                "You divided by the sum of all sizes. The norm is the root of the sum of squares.",
            ),
            Misconception(
                "squared norm",
                lambda gradients, threshold: [
                    g * min(1.0, threshold / _joint_norm(gradients).item() ** 2) for g in gradients
                ],
                "You divided by the squared norm: the square root is missing.",
            ),
        ),
        hints=(
            "Which one number, multiplied into everything, makes the whole gradient short enough?",
            "The joint norm is the root of the sum of all squares, over all tensors. "
            "Shrink only when it is above the threshold.",
            "factor = min(1, threshold / joint_norm), then [g * factor for g in gradients].",
        ),
        gradients=False,
    ),
)
