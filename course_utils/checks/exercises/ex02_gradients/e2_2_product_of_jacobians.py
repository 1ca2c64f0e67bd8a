"""Exercise 2.2: the product of Jacobians."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise
from course_utils.checks.mistakes import mistakes


def product_of_jacobians(jacobians: Tensor) -> Tensor:
    """Return dh_T/dh_0 from the Jacobians of the steps 1 to T."""
    product = jacobians[0]
    for jacobian in jacobians[1:]:
        product = jacobian @ product
    return product


EXERCISE = Exercise(
    number="2.2",
    task="the product of Jacobians",
    reference=product_of_jacobians,
    takes="jacobians (T, H, H), jacobians[0] = dh_1/dh_0",
    gives="a matrix (H, H)",
    example=(torch.tensor([[[2.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]),),
    cases=lambda: [(some(T, H, H, seed=T * H),) for T, H in ((3, 5), (7, 3), (2, 11))],
    hints=(
        "Start with T = 2: dh_2/dh_0 = dh_2/dh_1 times dh_1/dh_0. Which index is which?",
        "jacobians[0] is dh_1/dh_0. Begin with it and let every later step act from the left.",
        "product = jacobians[0]; then for each later one: product = jacobian @ product.",
    ),
    misconceptions=mistakes("""
        wrong order
            jacobian @ product => product @ jacobian
            The factors are in the wrong order. The last step acts last, so it stands leftmost:
            J_T ... J_2 J_1, and matrices do not commute.
        elementwise product
            jacobian @ product => jacobian * product
            You multiplied entry by entry with *. The chain rule sums over every path through
            the units in between: use the matrix product @.
        the same matrix every step
            jacobian @ product => jacobians[0] @ product
            You took the first Jacobian to a power. U is the same at every step, but the slopes
            are not: each step has a Jacobian of its own.
        a sum
            jacobian @ product => jacobian + product
            You added the Jacobians. Steps follow each other, so their Jacobians multiply; sums
            appear where paths run in parallel.
        one step short
            jacobians[1:] => jacobians[1:-1]
            One factor is missing: the last step. T Jacobians lead from h_0 to h_T.
        first step left out
            jacobians[0] => jacobians[1] &&
            jacobians[1:] => jacobians[2:]
            One factor is missing: the first step, jacobians[0] = dh_1/dh_0.
        started with zeros
            = jacobians[0] => = 0 * jacobians[0]
            All is zero: the product started with zeros. Start with the first factor, or with
            torch.eye(H).
        started with ones
            = jacobians[0] => = torch.ones_like(jacobians[0]) @ jacobians[0] &&
            jacobian @ product => product @ jacobian
            A matrix of ones is no beginning: the neutral element of @ is torch.eye(H).
        started with ones, right order
            = jacobians[0] => = jacobians[0] @ torch.ones_like(jacobians[0])
            You began with a matrix of ones: the neutral element of @ is torch.eye(H).
        first factor twice
            jacobians[1:] => jacobians
            The first factor appears twice: the loop begins with jacobians[0], which was already
            the start.
        transposed factors
            = jacobians[0] => = jacobians[0].T &&
            jacobian @ product => jacobian.T @ product
            Every factor is transposed. The way of a gradient needs transposes; the Jacobian
            itself does not.
        transposed product
            return product => return product.T
            This is the transposed product. Row i must say how h_T[i] answers to h_0.
        only the two ends
            jacobians[1:] => jacobians[-1:]
            Only the first and the last step are there. All steps in between bring a factor.
        the two ends, turned
            jacobians[1:] => jacobians[-1:] &&
            jacobian @ product => product @ jacobian
            Only the first and the last step are there, in the wrong order.
        the last step alone
            return product => return jacobians[-1]
            This is dh_T/dh_{T-1}, the last step alone. The way to h_0 leads through all of
            them.
        the mean
            jacobian @ product => jacobian + product &&
            return product => return product / len(jacobians)
            You averaged the Jacobians. Steps follow each other, so their Jacobians multiply.
    """),
)
