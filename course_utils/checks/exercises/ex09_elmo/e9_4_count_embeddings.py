"""Exercise 9.4: count the embeddings of a word."""

from __future__ import annotations

from collections.abc import Sequence

from course_utils.checks.exercise import Exercise
from course_utils.checks.mistakes import mistakes

SENTENCES = [
    ["the", "bank", "of", "the", "river"],
    ["The", "bank", "is", "closed"],
    ["the", "bank", "of", "the", "river"],
    ["we", "saw", "the", "river"],
    ["the", "bank", "of", "the", "town"],  # from the left the same as the first
]


def count_embeddings(sentences: Sequence[Sequence[str]], word: str, L: int) -> int:
    """Return how many different vectors ELMo has for a word, each sentence read on its own."""
    uses = {(tuple(s), k) for s in sentences for k, token in enumerate(s) if token == word}
    return L * len(uses) + bool(uses)


EXERCISE = Exercise(
    number="9.4",
    task="count the embeddings of a word",
    kind="derive",
    reference=count_embeddings,
    takes="sentences: lists of tokens, each read from an empty memory; word; L layers in each "
    "direction",
    gives="a whole number: different vectors, all layers together, each 2P long",
    example=([["a", "bank"], ["the", "bank"]], "bank", 2),
    cases=lambda: [
        (SENTENCES, "bank", 2),
        (SENTENCES, "river", 3),
        (SENTENCES, "the", 2),
        (SENTENCES, "The", 4),
        (SENTENCES, "sea", 2),
    ],
    hints=(
        "What does the vector of a word depend on in layer 0? And in layer 1?",
        "Layer 0: one for all uses. Above: one for each different pair of sentence and place.",
        "uses = {(tuple(s), k) for s in sentences for k, t in enumerate(s) if t == word}; then L * "
        "len(uses), plus 1 if there are any.",
    ),
    misconceptions=mistakes("""
        one a word
            L * len(uses) + bool(uses) => int(bool(uses))
            That is a static table. Only layer 0 is the same in every sentence.
        one a layer
            L * len(uses) + bool(uses) => (L + 1) * bool(uses)
            That is one vector a layer. Above layer 0 every new context makes a new one.
        one a use
            L * len(uses) + bool(uses) => sum(s.count(word) for s in sentences)
            You count uses. Each has a vector in every layer, and layer 0 has one for all of them.
        one a different use
            L * len(uses) + bool(uses) => len(uses)
            You count different uses. Each has a vector in every one of L layers, and one more
            stands below them all.
        from the left only
            (tuple(s), k) => tuple(s[: k + 1])
            You tell uses apart by what stands before them. Half of each vector has read what stands
            behind.
        from the right only
            (tuple(s), k) => tuple(s[k:])
            You tell uses apart by what stands behind them. Half of each vector has read what stands
            before.
        a vector without a use
            bool(uses) => 1
            Right for words that occur. A word that stands in no sentence is not read, so not even
            layer 0 makes a vector for it.
        layer 0 once a use
            L * len(uses) + bool(uses) => (L + 1) * len(uses)
            Layer 0 knows the letters only: all uses of the word share one vector there.
        layer 0 once a use, repeated sentences too
            L * len(uses) + bool(uses) => (L + 1) * sum(s.count(word) for s in sentences)
            Two things: layer 0 has one vector for all uses, and a sentence that stands there twice
            gives the same vectors twice.
        repeated sentences counted again
            len(uses) => sum(s.count(word) for s in sentences)
            The same sentence, read again from an empty memory, gives the same vectors: they are no
            new ones.
        once a sentence
            (tuple(s), k) => tuple(s)
            A word may stand in a sentence twice. Its two places have two contexts.
        halves
            L * len(uses) => 2 * L * len(uses)
            2L + 1 counts the halves. Forward and backward are laid side by side: one vector a
            layer.
        representations of a use
            L * len(uses) + bool(uses) => (2 * L + 1) * len(uses)
            2L + 1 counts the halves, and layer 0 once a use. Laid side by side there is one vector
            a layer, and in layer 0 one for all uses.
        layer 0 forgotten
            L * len(uses) + bool(uses) => L * len(uses)
            There is one layer more: layer 0, below all contexts.
        capitals ignored
            token == word => token.lower() == word.lower()
            'The' and 'the' have different letters, so they are two words here.
    """),
)
