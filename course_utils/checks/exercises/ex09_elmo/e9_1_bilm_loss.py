"""Exercise 9.1: the loss of a language model in both directions."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise
from course_utils.checks.mistakes import mistakes


def bilm_loss(ahead: Tensor, back: Tensor, tokens: Tensor) -> Tensor:
    """Return the mean of -log p(next) plus the mean of -log p(the one before)."""
    forward = cross_entropy(ahead[:-1], tokens[1:])
    backward = cross_entropy(back[1:], tokens[:-1])
    return forward + backward


EXERCISE = Exercise(
    number="9.1",
    task="the loss of a biLM",
    reference=bilm_loss,
    takes="ahead, back: (N, V), scores before the softmax; tokens: (N,)",
    gives="a number",
    cases=lambda: [
        (some(5, 4, seed=1), some(5, 4, seed=2), torch.tensor([0, 2, 3, 2, 1])),
        (some(8, 6, seed=3), some(8, 6, seed=4), torch.tensor([0, 5, 2, 2, 4, 3, 5, 1])),
    ],
    hints=(
        "Row k of `ahead` has read token k. Which token is it asked for? And row k of `back`?",
        "Row k of `ahead` predicts token k + 1, so its last row predicts nothing. Row k of `back` "
        "predicts token k - 1, so its first row predicts nothing.",
        "cross_entropy(ahead[:-1], tokens[1:]) is one of the two.",
    ),
    misconceptions=mistakes("""
        forward target not shifted
            ahead[:-1], tokens[1:] => ahead, tokens
            Row k of `ahead` has read token k already: asked for it again, it has nothing to
            predict. Its target is token k + 1.
        backward target not shifted
            back[1:], tokens[:-1] => back, tokens
            Row k of `back` has read token k already. What it predicts is token k - 1.
        both shifted alike
            back[1:], tokens[:-1] => back[:-1], tokens[1:]
            You shift both directions alike. Row k of `back` has read token k + 1: it has seen what
            you ask it for. It predicts token k - 1.
        forward looks back
            ahead[:-1], tokens[1:] => ahead[1:], tokens[:-1]
            You ask row k of `ahead` for token k - 1, which it has read. It predicts token k + 1.
        forward only
            return forward + backward => return forward
            That is the forward model's loss. (9.2) has a second term.
        backward only
            return forward + backward => return backward
            That is the backward model's loss. (9.2) has a first term.
        halved
            return forward + backward => return (forward + backward) / 2
            That is the mean of the two directions. (9.2) adds them.
        sign
            return forward + backward => return -forward - backward
            That is the log likelihood, which training raises. A loss is its negative.
        softmax before the cross-entropy
            ahead[:-1], tokens => ahead[:-1].softmax(dim=-1), tokens
            `cross_entropy` takes scores and applies the softmax itself: yours is applied twice.
        a sum over tokens
            forward = cross_entropy( => forward = len(tokens[1:]) * cross_entropy(
            You add up the tokens of one direction. Both are means over what is predicted.
        divided by all tokens
            return forward + backward => return (forward + backward) * len(tokens[1:]) / len(tokens)
            You divide by all N tokens. Each direction predicts N - 1 of them.
    """),
)
