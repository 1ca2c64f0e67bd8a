"""Exercise 2.7: clip by norm."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def clip(gradients: list[Tensor], threshold: float) -> list[Tensor]:
    """Return the gradients, scaled together to a joint norm of at most threshold."""
    norm = torch.cat([g.flatten() for g in gradients]).norm()
    factor = min(1.0, threshold / norm.item())
    return [g * factor for g in gradients]


EXERCISE = Exercise(
    number="2.7",
    task="clip by norm",
    reference=clip,
    takes="gradients: a list of tensors of any shapes, threshold: a number",
    gives="a list of tensors of the same shapes",
    example=([torch.tensor([3.0]), torch.tensor([0.0, 4.0])], 1.0),
    cases=lambda: [
        ([some(3, 5, seed=31), some(7, seed=32)], 1.0),
        ([some(5, seed=33) / 10, some(2, 3, seed=34) / 10], 4.0),
        ([0.01 * some(2, seed=36), some(11, seed=35)], 0.5),
    ],
    hints=(
        "Which one number, multiplied into everything, makes the whole gradient short enough?",
        "The joint norm is the root of the sum of all squares, over all tensors. Shrink only when "
        "it is above the threshold.",
        "factor = min(1, threshold / joint_norm), then [g * factor for g in gradients].",
    ),
    misconceptions=(
        *mistakes("""
            every entry for itself
                g * factor => g.clamp(-threshold, threshold)
                You clipped every entry by itself. That turns the gradient into another direction;
                scale all of it by one number instead.
            every tensor for itself
                g * factor => g * min(1.0, threshold / g.norm().item())
                You clipped every tensor by its own norm. The parameters move together, so the norm
                is that of all of them taken as one long vector.
            always to the threshold
                min(1.0, threshold / norm.item()) => threshold / norm
                You also stretch gradients that are shorter than the threshold. Those must stay as
                they are: the factor is never above 1.
            sum of sizes
                .norm() => .abs().sum()
                You divided by the sum of all sizes. The norm is the root of the sum of squares.
            squared norm
                .norm() => .norm() ** 2
                You divided by the squared norm: the square root is missing.
        """),
        Misconception(
            "sum of norms",
            Change(
                "torch.cat([g.flatten() for g in gradients]).norm()",
                "sum(g.norm() for g in gradients)",
            ),
            "You added the norms of the tensors. Their squares add up: the root of the sum of "
            "squares.",
        ),
        Misconception(
            "largest norm",
            Change(
                "torch.cat([g.flatten() for g in gradients]).norm()",
                "max(g.norm() for g in gradients)",
            ),
            "You took the largest tensor's norm. The norm of all together is larger: the root of "
            "the sum of squares.",
        ),
        Misconception(
            "largest entry",
            Change(".norm()", ".abs().max()"),
            "You divided by the largest entry. The norm is the root of the sum of all squares.",
        ),
        Misconception(
            "mean of norms",
            Change(
                "torch.cat([g.flatten() for g in gradients]).norm()",
                "sum(g.norm() for g in gradients) / len(gradients)",
            ),
            "You averaged the norms of the tensors. The norm of all together is the root of the "
            "sum of squares.",
        ),
        *mistakes("""
            first tensor's norm
                torch.cat([g.flatten() for g in gradients]).norm() => gradients[0].norm()
                You took the norm of the first tensor alone. All of them count together.
            root of the mean
                .norm() => .square().mean().sqrt()
                You took the mean of the squares. The norm has their sum.
            max for min
                min(1.0 => max(1.0
                You took max where min belongs: the factor shrinks what is too long and is never
                above 1.
            factor upside down
                min(1.0, threshold / norm.item()) => max(1.0, norm.item() / threshold)
                The factor is upside down: threshold / norm.
            to length one
                threshold / norm.item() => 1 / max(1.0, norm.item()) if norm > threshold else 1.0
                You shrink to length 1. The length you need is the threshold.
            thrown away
                min(1.0, threshold / norm.item()) => float(norm <= threshold)
                You throw long gradients away. They keep their direction and are shortened to the
                threshold.
            as they came
                [g * factor for g in gradients] => [g.clone() for g in gradients]
                Nothing is shortened. (PyTorch's clip_grad_norm_ changes the field .grad of
                parameters; these are the gradients themselves.)
            clipped above only
                g * factor => g.clamp(max=threshold)
                You cut off large entries, and only positive ones. Scale all of it by one number
                instead.
        """),
        Misconception(
            "one long vector",
            Change(
                "[g * factor for g in gradients]",
                "factor * torch.cat([g.flatten() for g in gradients])",
            ),
            "You return one long vector. You need the list, every tensor with its own shape.",
        ),
    ),
)
