"""Exercise 10.4: a control task for a probe."""

from __future__ import annotations

from collections.abc import Sequence

from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes

TEXT = "the old captain saw a saw and the Old captain saw The man"


def control_labels(words: Sequence[str], drawn: Sequence[int]) -> list[int]:
    """Return a label for every token: a word's first appearance draws it, and it stays."""
    label: dict[str, int] = {}
    for word in words:
        label.setdefault(word, drawn[len(label)])
    return [label[word] for word in words]


EXERCISE = Exercise(
    number="10.4",
    task="a control task for a probe",
    kind="design",
    reference=control_labels,
    takes="words: a list of words, some of them more than once; drawn: enough labels, drawn "
    "by chance",
    gives="a list with one label for every token",
    example=(["a", "b", "a"], [2, 0, 1]),
    cases=lambda: [
        (["a", "b", "a"], [2, 0, 1]),
        (TEXT.split(), [3, 1, 4, 0, 5, 2, 6, 8, 7, 9, 11, 10, 12]),
        (TEXT.split()[::-1], [7, 2, 0, 5, 3, 6, 1, 4, 9, 8, 10, 11, 12]),
    ],
    hints=(
        "What could a probe learn without knowing anything about language? Give it just that.",
        "Keep a dict from words to labels; a word that is not in it takes the next label.",
        "label.setdefault(word, drawn[len(label)]) for each word, then look every token up.",
    ),
    misconceptions=(
        Misconception(
            "a new label for every token",
            lambda words, drawn: list(drawn[: len(words)]),
            "Every token draws anew. Then nobody can learn anything, and even a probe that "
            "memorises words looks honest. A word must keep its label.",
        ),
        Misconception(
            "one label for all",
            lambda words, drawn: [drawn[0]] * len(words),
            "All words have one label: that is learned without looking at anything.",
        ),
        *mistakes("""
            case does not count
                setdefault(word, => setdefault(word.lower(), &&
                label[word] => label[word.lower()]
                'Old' and 'old' are two words to a model that reads letters; each draws its own.
            in alphabetical order
                in words: => in sorted(words):
                The words draw in alphabetical order here. They draw when they first appear.
            one label for each length
                setdefault(word, => setdefault(len(word), &&
                label[word] => label[len(word)]
                Words of one length share a label: the letters would give it away. Every word draws
                its own.
            the place of the first appearance draws
                label[word] => drawn[list(words).index(word)]
                You use the place of a word's first token. The third new word gets the third label,
                wherever it stands.
            the number, not the label
                drawn[len(label)] => len(label)
                These are the words' numbers. The label is what is drawn for that number.
            labels of the words, not of the tokens
                [label[word] for word in words] => [*label.values()]
                One label a word. You need one for every token, in the text's order.
        """),
    ),
)
