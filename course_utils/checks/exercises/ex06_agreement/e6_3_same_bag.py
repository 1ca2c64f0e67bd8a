"""Exercise 6.3: a test that no bag of words can pass."""

from __future__ import annotations

from collections.abc import Sequence

from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def same_bag(words: Sequence[str], number: str) -> tuple[list[str], str]:
    """Return a beginning of the same words whose subject has the other number, and that number."""
    exchanged = [words[0], words[4], *words[2:4], words[1], *words[5:]]
    return exchanged, "P" if number == "S" else "S"


EXERCISE = Exercise(
    number="6.3",
    task="a test that no bag of words can pass",
    kind="design",
    reference=same_bag,
    takes="words: the NOUN PREPOSITION the NOUN and perhaps more, the nouns of different "
    "numbers; number: S or P, that of the subject",
    gives="two values: a list of words, and the number of its subject",
    example=(["the", "keys", "near", "the", "door"], "P"),
    cases=lambda: [
        (["the", "keys", "near", "the", "door"], "P"),
        (["the", "man", "behind", "the", "dogs", "probably"], "S"),
    ],
    hints=(
        "A bag of words knows which words there are, not where. What decides the number?",
        "Which two words would you swap so that the other noun becomes the subject?",
        "Swap words[1] and words[4]; the number becomes the other one.",
    ),
    misconceptions=(
        Misconception(
            "nothing changed but the number",
            Change("return exchanged", "return list(words)"),
            "The same sentence cannot have a subject of another number: the words must stand in "
            "another order.",
        ),
        Misconception(
            "nothing changed",
            lambda words, number: (list(words), number),
            "That is the question itself. You need one of the same words with the other answer.",
        ),
        *mistakes("""
            number kept
                "P" if number == "S" else "S" => number
                The order is right. But now the other noun is the subject: which number has it?
            all words reversed
                return exchanged => return list(words)[::-1]
                The same bag, but not English. Swap only what must be swapped.
            sorted
                return exchanged => return sorted(words)
                A sorted bag is not English. Swap only what must be swapped.
            one noun twice
                words[0], words[4] => *words[:2]
                One noun now appears twice: the bag has changed.
            one noun twice, the other
                words[1], *words[5:] => *words[4:]
                The second noun now appears twice: the bag has changed.
        """),
        Misconception(
            "the subject in its other number",
            Change(
                "words[0], words[4], *words[2:4], words[1], *words[5:]",
                'words[0], words[1][:-1] if number == "P" else words[1] + "s", *words[2:]',
            ),
            "A noun in its other number is another word: the bag has changed. Keep every word, and "
            "change only where they stand.",
        ),
        Misconception(
            "the end cut off",
            Change(
                "words[0], words[4], *words[2:4], words[1], *words[5:]",
                "*words[3:5], words[2], *words[:2]",
            ),
            "Nothing may be lost: the words after the second noun belong to the bag.",
        ),
    ),
)
