"""Exercise 1.4: the gradient of softmax and cross-entropy."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise
from course_utils.checks.mistakes import mistakes


def gradient_of_scores(scores: Tensor, target: int) -> Tensor:
    """Return the gradient of -log softmax(scores)[target] with respect to the scores: p - y."""
    p = scores.softmax(dim=0)
    y = torch.eye(len(scores), dtype=scores.dtype)[target]
    return p - y


EXERCISE = Exercise(
    number="1.4",
    task="the gradient of softmax and cross-entropy",
    kind="derive",
    reference=gradient_of_scores,
    takes="scores: a float64 tensor (V,); target: a whole number",
    gives="a tensor (V,)",
    example=(torch.zeros(2, dtype=torch.float64), 0),
    cases=lambda: [(some(V, seed=V), target) for V, target in ((3, 0), (7, 4), (5, 4))],
    hints=(
        "What would p have to be for this gradient to be zero?",
        "Write -log softmax as log(sum of e^s) minus the target's score, and differentiate both.",
        "p = scores.softmax(0), then subtract 1 from p[target].",
    ),
    misconceptions=mistakes("""
        y - p
            p - y => y - p
            The sign is reversed: this is the direction in which training walks. The gradient
            points uphill.
        p alone
            p - y => p
            This is p. The target's entry has to be lower by 1: training must raise that score.
        by p, not by the scores
            p - y => -y / p
            This is the gradient with respect to the probabilities, -y / p. One more link of the
            chain leads through the softmax to the scores.
        target's entry only
            p - y => (p - y) * y
            Only the target's entry is there. Every other score stands in the softmax's denominator:
            raising it lowers the target's probability.
        one everywhere
            p - y => p - 1
            You subtract 1 from every entry. y is 1 at the target and 0 elsewhere.
        the target's number
            p - y => p - target
            You subtract the number of the target from every entry. y is a vector: 1 at the place of
            the target, 0 elsewhere.
        sigmoid
            softmax(dim=0) => sigmoid()
            You squash each score alone, by a sigmoid. The softmax divides by the sum over all
            words.
        slope of one probability
            p - y => p * (1 - p)
            p (1 - p) is the slope of one probability in its own score. Follow the loss, -log p of
            the target, through all scores.
        no softmax
            p - y => scores - y
            The scores themselves stand where p should: take the softmax first.
        log p
            softmax => log_softmax
            The logarithm is one link too many: p - y, with p the probabilities themselves.
        divided by V
            p - y => (p - y) / len(p)
            You divide by V. There is one prediction here and one loss: nothing is averaged over
            words.
        the loss
            p - y => -p[target].log()
            This is the loss itself, one number. You need its gradient, a number for each score.
        not normalised
            softmax(dim=0) => exp()
            e^s is not a probability yet: divide by the sum over all words.
    """),
)
