"""Exercise 9.5: the scalar mix."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def scalar_mix(layers: Tensor, w: Tensor, gamma: float) -> Tensor:
    """Return gamma times the sum of the layers, weighed by softmax(w)."""
    return gamma * torch.tensordot(torch.softmax(w, dim=0), layers, dims=1)


EXERCISE = Exercise(
    number="9.5",
    task="the scalar mix",
    reference=scalar_mix,
    takes="layers (L + 1, T, 2P); w (L + 1,); gamma: a number",
    gives="a matrix (T, 2P)",
    cases=lambda: [
        (some(3, 2, 4, seed=1), some(3, seed=2), 1.5),
        (some(4, 5, 6, seed=3), some(4, seed=4), -0.5),
    ],
    hints=(
        "How does one make positive shares that add up to 1 out of any numbers?",
        "s = softmax(w); then add s[j] * layers[j] over j.",
        "gamma * (torch.softmax(w, dim=0)[:, None, None] * layers).sum(dim=0)",
    ),
    misconceptions=(
        *mistakes("""
            no softmax
                torch.softmax(w, dim=0) => w
                You use w as it is. The shares are softmax(w): positive, and 1 together.
            gamma forgotten
                gamma * torch => torch
                γ is missing: the shares add up to 1, so only γ can scale the vector to the task.
            gamma inside
                gamma * torch.tensordot(torch.softmax(w => torch.tensordot(torch.softmax(gamma * w
                γ stands before the sum, not inside the softmax: there it would only sharpen it.
        """),
        Misconception(
            "mean",
            lambda layers, w, gamma: gamma * layers.mean(dim=0),
            "That is the plain mean, which the weights give only while they are equal.",
        ),
        Misconception(
            "mean of the weighted",
            lambda layers, w, gamma: scalar_mix(layers, w, gamma) / len(layers),
            "The shares add up to 1 already: do not divide by the number of layers as well.",
        ),
        *mistakes("""
            w over its sum
                torch.softmax(w, dim=0) => w / w.sum()
                You divide w by its sum. A softmax takes exp first, so that no share is negative.
            sigmoid
                torch.softmax(w, dim=0) => torch.sigmoid(w)
                A sigmoid of each weight does not make shares: they must add up to 1.
        """),
        Misconception(
            "top layer alone",
            lambda layers, w, gamma: gamma * layers[-1],
            "That is the top layer, as before ELMo. The mix takes all of them.",
        ),
        Misconception(
            "largest share alone",
            lambda layers, w, gamma: gamma * layers[w.argmax()],
            "You choose the layer with the largest weight. The mix takes a share of each.",
        ),
        Misconception(
            "layers side by side",
            lambda layers, w, gamma: (
                gamma
                * torch.cat(
                    [s * layer for s, layer in zip(w.softmax(0), layers, strict=True)], dim=-1
                )
            ),
            "You lay the layers side by side. They are added: the result is as wide as one.",
        ),
    ),
)
