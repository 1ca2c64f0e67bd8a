"""Exercise 3.8: a training loop without an optimizer."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Arguments, Exercise
from course_utils.checks.mistakes import mistakes

Batches = list[tuple[Tensor, Tensor]]


def losses_while_training(
    U: Tensor, W: Tensor, O: Tensor, batches: Batches, rate: float, longest: float
) -> list[float]:
    """Return the loss of every batch, each met once, by clipped gradient descent."""
    parts, losses = [part.clone().requires_grad_() for part in (U, W, O)], []
    for x, y in batches:
        h = torch.zeros(len(y), len(U), dtype=U.dtype)
        for x_t in x:
            h = torch.tanh(x_t @ parts[1].T + h @ parts[0].T)
        loss = torch.nn.functional.cross_entropy(h @ parts[2].T, y)
        gradients = torch.autograd.grad(loss, parts)
        length = torch.cat([g.flatten() for g in gradients]).norm().item()
        shorter = min(1.0, longest / length)
        moved = [p - rate * shorter * g for p, g in zip(parts, gradients, strict=True)]
        parts = [part.detach().requires_grad_() for part in moved]
        losses.append(loss.item())
    return losses


def _cases() -> list[Arguments]:
    found = []
    for H, D, B, lag, longest in ((4, 2, 5, 3, 0.2), (3, 2, 4, 5, 3.0)):
        batches = [
            (some(lag, B, D, seed=k + H), (some(B, seed=k + 9 * H) > 0).long()) for k in range(5)
        ]
        parts = (some(H, H, seed=H) / H, some(H, D, seed=7 * H), some(2, H, seed=8 * H))
        found.append((*parts, batches, 2.0, longest))
    return found


EXERCISE = Exercise(
    number="3.8",
    task="a training loop without an optimizer",
    kind="build",
    reference=losses_while_training,
    takes="U (H, H), W (H, D), O (2, H), batches of x (T, B, D) and y (B,), rate, longest",
    gives="a list of numbers, one a batch",
    cases=_cases,
    hints=(
        "Per batch: h from zeros through all steps, the loss of O h_T, three gradients, one step.",
        "torch.autograd.grad(loss, [U, W, O]) gives all three. Clip them together: their common "
        "length, and min(1, longest / length).",
        "U = (U - rate * scale * g).detach().requires_grad_(), the same for W and O; only then the "
        "next batch.",
    ),
    misconceptions=mistakes("""
        nothing is learned
            parts = [part.detach() => _ = [part.detach()
            Your weights never move: each batch meets the network of the start.
        uphill
            p - rate => p + rate
            Your loss grows: the step goes along the gradient, not against it.
        not clipped
            min(1.0, longest / length) => 1.0
            The gradients are never clipped: longer ones than `longest` are shrunk to it.
        always as long
            min(1.0, longest / length) => longest / length
            Short gradients are stretched to `longest` as well. Clipping only ever shrinks.
        clipped one by one
            rate * shorter * g => rate * min(1.0, longest / g.norm().item()) * g
            You clip every matrix by itself, which turns the direction of the step. Their common
            length counts.
        the state goes on
            h = torch.zeros => h = h.detach() if losses else torch.zeros
            Your state is carried from one batch into the next. These are new sequences: begin
            each at 0.
        only the readout learns
            p - rate * shorter * g => p - rate * shorter * g * (p.shape[0] == 2)
            Only O is trained: a readout of a random network. U and W learn, too.
        the sum of the losses
            cross_entropy(h @ parts[2].T, y) => cross_entropy(h @ parts[2].T, y, reduction="sum")
            That is the sum over the batch; the loss is its mean, or the rate would depend on B.
        the last step left out
            for x_t in x => for x_t in x[:-1]
            The last step of each sequence is never read.
        the last matrix alone is measured
            torch.cat([g.flatten() for g in gradients]).norm() => gradients[-1].norm()
            The length is that of all gradients together, not of the last one.
    """),
)
