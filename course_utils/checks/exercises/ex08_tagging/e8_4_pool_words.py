"""Exercise 8.4: three poolings that do not see padding."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def pool_words(h: Tensor, scores: Tensor, lengths: Tensor) -> dict[str, Tensor]:
    """Return the mean, the maximum and the attention-weighted sum of every sentence's words."""
    words = torch.arange(h.shape[1]) < lengths[:, None]
    shares = scores.masked_fill(~words, -torch.inf).softmax(dim=1)
    return {
        "mean": (h * words[..., None]).sum(dim=1) / lengths[:, None],
        "max": h.masked_fill(~words[..., None], -torch.inf).amax(dim=1),
        "attention": (shares[..., None] * h).sum(dim=1),
    }


def _pool_cases() -> list[tuple[Tensor, Tensor, Tensor]]:
    """Return words all below zero in one feature, so that a zero of padding would win."""
    cases = []
    for B, T, H in ((2, 3, 2), (3, 7, 5)):
        h, scores = some(B, T, H, seed=T), some(B, T, seed=T + 1)
        h[..., 0] = -h[..., 0].abs() - 0.1
        lengths = torch.tensor([T, max(1, T - 2), 1][:B])
        cases.append((h, scores, lengths))
    return cases


EXERCISE = Exercise(
    number="8.4",
    task="three poolings that do not see padding",
    reference=pool_words,
    takes="h: (B, T, H); scores: (B, T); lengths: (B,)",
    gives='a dict {"mean": (B, H), "max": (B, H), "attention": (B, H)}',
    cases=_pool_cases,
    hints=(
        "Pool each sentence alone, at its own length: what would be the answer?",
        "In one go: a mask (B, T) that is True before each length; 0 for a sum, -inf for a maximum "
        "and before a softmax.",
        "mask = torch.arange(T) < lengths[:, None]; scores.masked_fill(~mask, "
        "-torch.inf).softmax(1)",
    ),
    misconceptions=(
        *mistakes("""
            mean over T
                (h * words[..., None]).sum(dim=1) / lengths[:, None] => h.mean(dim=1)
                Your mean reads the padding and divides by T. Sum the words, divide by the
                sentence's own length.
            divided by T
                / lengths[:, None] => / h.shape[1]
                Your sum is right, but divided by T: a short sentence's mean becomes small.
            maximum with zeros
                h.masked_fill(~words[..., None], -torch.inf) => (h * words[..., None])
                Where all words are below 0, your maximum is the padding's 0. Padding must be -inf
                before a maximum.
            maximum of everything
                h.masked_fill(~words[..., None], -torch.inf) => h
                Your maximum also looks at the padding.
            nothing masked
                < lengths[:, None] => < h.shape[1] &&
                / lengths[:, None] => / h.shape[1]
                All three read the padding: the lengths are not used.
            attention to padding
                scores.masked_fill(~words, -torch.inf).softmax(dim=1) => scores.softmax(dim=1)
                Your attention gives the padding a weight: its scores must be -inf before the
                softmax.
        """),
        Misconception(
            "masked after the softmax",
            Change(
                "scores.masked_fill(~words, -torch.inf).softmax(dim=1)",
                "scores.softmax(dim=1) * words",
            ),
            "You masked after the softmax: the weights of the words no longer sum to 1, since the "
            "padding has kept its share.",
        ),
        Misconception(
            "scores set to zero",
            Change(
                "scores.masked_fill(~words, -torch.inf).softmax(dim=1)",
                "(scores * words).softmax(dim=1)",
            ),
            "A score of 0 is no score of nothing: exp(0) = 1. Set the padding's scores to -inf.",
        ),
        Misconception(
            "scores set to zero, padding wiped out",
            Change(
                "scores.masked_fill(~words, -torch.inf).softmax(dim=1)",
                "(scores * words).softmax(dim=1)",
                also={"shares[..., None] * h)": "(shares * words)[..., None] * h)"},
            ),
            "A score of 0 is no score of nothing: exp(0) = 1, so the padding takes a share of the "
            "weights. Set its scores to -inf.",
        ),
        *mistakes("""
            scores as they are
                scores.masked_fill(~words, -torch.inf).softmax(dim=1) => scores * words
                You weigh by the scores themselves. The weights are their softmax: positive, and 1
                together.
            a softmax over the batch
                .softmax(dim=1) => .softmax(dim=0)
                Your softmax runs over the sentences of the batch. The words of one sentence share
                its attention: dim=1.
            attention without a sum
                (shares[..., None] * h).sum(dim=1) => (shares[..., None] * h).mean(dim=1)
                The weights sum to 1 already: add up, and do not divide by T.
        """),
        Misconception(
            "no softmax",
            Change(
                "scores.masked_fill(~words, -torch.inf).softmax(dim=1)",
                "(scores * words) / (scores * words).sum(dim=1, keepdim=True)",
            ),
            "Scores may be negative: weights are their softmax, not their share of the sum.",
        ),
    ),
)
