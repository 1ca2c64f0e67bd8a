"""Exercise 1.1: a bigram with add-k."""

from __future__ import annotations

from itertools import pairwise

from course_utils.checks.change import Change
from course_utils.checks.exercise import Arguments, Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def bigram_probability(tokens: list[int], before: int, word: int, V: int, k: float) -> float:
    """Return p(word | before), counted in a text of whole numbers below V, with add-k."""
    pairs = list(pairwise(tokens))
    contexts = sum(first == before for first, _ in pairs)
    return (pairs.count((before, word)) + k) / (contexts + k * V)


def _bigram_cases() -> list[Arguments]:
    return [
        ([0, 1, 0, 2, 0, 1, 3, 0], 0, 1, 5, 0.5),
        ([4, 2, 2, 4, 2, 6, 2], 2, 4, 7, 2.0),
        ([1, 2, 1], 3, 1, 4, 0.1),
    ]


EXERCISE = Exercise(
    number="1.1",
    task="a bigram with add-k",
    kind="code",
    reference=bigram_probability,
    takes="tokens: a list of whole numbers; before, word, V: whole numbers; k: a number",
    gives="a number",
    example=([0, 1, 0, 2, 0, 1], 0, 1, 3, 1.0),
    cases=_bigram_cases,
    hints=(
        "Which places in the text count for p(word | before)? At how many of them does `word` "
        "follow?",
        "zip(tokens, tokens[1:]) gives all pairs. How often is the first of a pair `before`?",
        "(pairs.count((before, word)) + k) / (tokens[:-1].count(before) + k * V)",
    ),
    misconceptions=(
        Misconception(
            "no smoothing",
            Change(
                "(pairs.count((before, word)) + k) / (contexts + k * V)",
                "pairs.count((before, word)) / contexts",
            ),
            "These are the raw counts: a pair that was never seen gets probability 0, and a "
            "context that was never seen divides by 0. Where is k?",
        ),
        *mistakes("""
            above only
                (contexts + k * V) => contexts
                k is added above but not below: the probabilities of all words no longer add up to
                1. V words get k each, so below there is k V more.
            k once
                k * V => k
                Below the line you add k once. Each of the V words got k above, so below there is k
                V more.
            always one
                (before, word)) + k => (before, word)) + 1 &&
                k * V => V
                This is add-one, whatever k is: k above, and k V below.
            last word counted
                sum(first == before for first, _ in pairs) => tokens.count(before)
                You count `before` at the end of the text as well. Nothing follows it there, so it
                is no context: count it among tokens[:-1].
            turned round
                (before, word) => (word, before) &&
                for first, _ in => for _, first in
                The pair is reversed: `before` comes first, then `word`.
            given the next
                first == before for first, _ => last == word for _, last
                You divide by how often `word` came second. p(word | before) divides by how often
                `before` came first.
            joint
                contexts + k * V => len(pairs) + k * V * V
                You divide by all pairs: that is the joint probability of the pair. Given `before`,
                only the pairs that begin with it count.
            all pairs
                contexts + k => len(pairs) + k
                You divide by all pairs of the text. Given `before`, only the pairs that begin with
                it count.
            V of the text
                k * V => k * len(set(tokens))
                You count how many words occur in this text. V is how many there are: words that
                never occurred get k as well.
            turned round, counted first
                (before, word) => (word, before) &&
                first == before => first == word
                You count what follows `word`. `before` comes first in the pair, then `word`.
            only the pair turned
                (before, word) => (word, before)
                Above the line the pair is reversed: `before` comes first, then `word`.
            one word
                pairs.count((before, word)) => tokens.count(word) &&
                contexts + k => len(tokens) + k
                This is how common `word` is anywhere. A bigram asks how common it is after
                `before`.
        """),
    ),
)
