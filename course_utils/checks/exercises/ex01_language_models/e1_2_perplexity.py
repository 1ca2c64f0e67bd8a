"""Exercise 1.2: perplexity."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def perplexity(log_probs: Tensor) -> Tensor:
    """Return the perplexity of a text from log p (natural) of each of its tokens."""
    return log_probs.mean().neg().exp()


EXERCISE = Exercise(
    number="1.2",
    task="perplexity",
    reference=perplexity,
    takes="log_probs (T,): natural logarithms of probabilities",
    gives="one number, at least 1",
    example=(torch.tensor([0.5, 0.125]).log(),),
    cases=lambda: [(-some(T, seed=T).abs() - 0.1,) for T in (3, 7, 11)],
    hints=(
        "What is the perplexity of a fair die, and what are its log probabilities?",
        "exp of the mean of -log p.",
        "torch.exp(-log_probs.mean())",
    ),
    misconceptions=(
        Misconception(
            "sum for mean",
            Change("log_probs.mean", "log_probs.sum"),
            "You took the sum over the text. Perplexity is per token: use the mean.",
        ),
        Misconception(
            "base two",
            lambda log_probs: 2 ** log_probs.mean().neg(),
            "These are natural logarithms, so raise e to them, not 2.",
        ),
        Misconception(
            "mean of the inverse probabilities",
            lambda log_probs: log_probs.neg().exp().mean(),
            "You averaged 1/p. Average the logarithms first and take exp last: a geometric mean, "
            "which one impossible word cannot dominate so easily.",
        ),
        *mistakes("""
            sign
                ().neg().exp => ().exp
                The minus sign is missing: this is the typical probability, you need its inverse.
            no exp
                ().exp() => ()
                This is the mean surprise in nats, the cross-entropy. Perplexity is exp of it.
        """),
        Misconception(
            "inverse of the mean probability",
            lambda log_probs: 1 / log_probs.exp().mean(),
            "You averaged the probabilities. Average their logarithms: one word that the model "
            "held impossible must hurt.",
        ),
        Misconception(
            "mean probability",
            lambda log_probs: log_probs.exp().mean(),
            "This is the mean probability. Perplexity is exp of minus the mean logarithm: the "
            "better the model, the smaller it is.",
        ),
        Misconception(
            "one word too many",
            lambda log_probs: (log_probs.sum() / (len(log_probs) + 1)).neg().exp(),
            "You divide by one word more than there is. Every entry of log_probs is one predicted "
            "word.",
        ),
        Misconception(
            "one word too few",
            lambda log_probs: (log_probs.sum() / (len(log_probs) - 1)).neg().exp(),
            "You divide by one word too few. Every entry of log_probs is one predicted word, the "
            "first included.",
        ),
        Misconception(
            "base ten",
            lambda log_probs: 10 ** log_probs.mean().neg(),
            "These are natural logarithms, so raise e to them, not 10.",
        ),
        Misconception(
            "one for each word",
            lambda log_probs: log_probs.neg().exp(),
            "This is 1/p of each word. Perplexity is one number for the text: take the mean of the "
            "logarithms first.",
        ),
        *mistakes("""
            minus outside
                ().neg().exp => ().exp().neg
                The minus sign stands outside the exp. It belongs to the logarithm: exp(-mean).
            the median
                log_probs.mean => log_probs.median
                You took the median. Perplexity rests on the mean: every word counts.
        """),
        Misconception(
            "a sum without exp",
            lambda log_probs: log_probs.sum().neg(),
            "This is the surprise of the whole text in nats. Divide by the number of words, then "
            "take exp.",
        ),
        Misconception(
            "probability of the text",
            lambda log_probs: log_probs.sum().exp(),
            "This is the probability of the whole text. Perplexity is per word, and its inverse: "
            "exp of minus the mean.",
        ),
    ),
)
