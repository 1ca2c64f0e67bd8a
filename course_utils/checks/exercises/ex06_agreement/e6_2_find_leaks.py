"""Exercise 6.2: find the leak in a test set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes

Pair = tuple[str, str]  # subject, verb


BASE = {
    **dict(zip(["boys", "girl", "girls", "boy", "dogs", "dog", "cat", "cats"],
               ["boy", "girl", "girl", "boy", "dog", "dog", "cat", "cat"], strict=True)),
    **dict(zip(["sees", "see", "greets", "greet", "loves", "love", "fears", "fear"],
               ["see", "see", "greet", "greet", "love", "love", "fear", "fear"], strict=True)),
}  # fmt: skip


def find_leaks(train: Sequence[Pair], test: Sequence[Pair], base: Mapping[str, str]) -> list[int]:
    """Return the places in `test` whose subject and verb stand together in `train`, in any form."""
    seen = {(base[subject], base[verb]) for subject, verb in train}
    return [n for n, (subject, verb) in enumerate(test) if (base[subject], base[verb]) in seen]


EXERCISE = Exercise(
    number="6.2",
    task="find the leak in a test set",
    kind="debug",
    reference=find_leaks,
    takes="train, test: lists of (subject, verb) as they stand in sentences; base: a dict "
    "from every form to its word",
    gives="a list of places in test, from 0, in rising order",
    example=([("boys", "see")], [("boy", "sees"), ("girl", "sees")], BASE),
    cases=lambda: [
        (
            [("boys", "see"), ("girl", "greets"), ("dog", "loves")],
            [
                ("boy", "sees"),
                ("girl", "sees"),
                ("girl", "greets"),
                ("cat", "loves"),
                ("boys", "fear"),
                ("dogs", "love"),
            ],
            BASE,
        ),
        (
            [("cats", "love"), ("cat", "sees"), ("dog", "greets")],
            [
                ("boys", "greet"),
                ("cats", "greet"),
                ("dog", "fears"),
                ("cat", "loves"),
                ("dogs", "greet"),
            ],
            BASE,
        ),
    ],
    hints=(
        "What would a model have to remember from training to answer without grammar?",
        "Make a set of (base[subject], base[verb]) of the training pairs.",
        "[n for n, (s, v) in enumerate(test) if (base[s], base[v]) in seen]",
    ),
    misconceptions=(
        *mistakes("""
            same forms only
                {(base[subject], base[verb]) for => {(subject, verb) for &&
                (base[subject], base[verb]) in seen => (subject, verb) in seen
                You compare the forms as they stand. Anyone who has read 'boys see' knows that boy
                and see go together, and 'boy sees' leaks: compare base[...].
            subject alone, as it stands
                {(base[subject], base[verb]) for => {subject for &&
                (base[subject], base[verb]) in seen => subject in seen
                You look at the subject alone, and at its form. Every noun must be known from
                training; the leak is the pair of subject and verb.
            subject alone
                {(base[subject], base[verb]) for => {base[subject] for &&
                (base[subject], base[verb]) in seen => base[subject] in seen
                You look at the subject alone. Every noun must be known from training; the leak is
                the pair of subject and verb.
            verb alone
                {(base[subject], base[verb]) for => {base[verb] for &&
                (base[subject], base[verb]) in seen => base[verb] in seen
                You look at the verb alone. The leak is the pair of subject and verb.
        """),
        Misconception(
            "both, but not together",
            Change(
                "{(base[subject], base[verb]) for subject, verb in train}",
                "{base[word] for pair in train for word in pair}",
                also={"(base[subject], base[verb]) in seen": "{base[subject], base[verb]} <= seen"},
            ),
            "You ask whether both words are in training somewhere. The leak is that they stand "
            "there together.",
        ),
        Misconception(
            "either of them",
            Change(
                "{(base[subject], base[verb]) for subject, verb in train}",
                "{base[word] for pair in train for word in pair}",
                also={"(base[subject], base[verb]) in seen": "{base[subject], base[verb]} & seen"},
            ),
            "You ask whether one of the words is in training. The leak is that both stand there "
            "together.",
        ),
        *mistakes("""
            the clean ones
                in seen => not in seen
                These are the items without a leak. You need those with one.
            the pairs themselves
                [n for => [(subject, verb) for
                These are the right pairs. You need their places in test.
        """),
        Misconception(
            "how many",
            lambda train, test, base: len(find_leaks(train, test, base)),
            "That is how many leak. Say which: their places in test.",
        ),
        Misconception(
            "yes or no for each",
            Change(
                "n for n, (subject, verb) in enumerate(test) if ",
                "",
                also={"in seen": "in seen for subject, verb in test"},
            ),
            "Right, item by item. You need the places where this is True.",
        ),
        *mistakes("""
            words against forms
                {(base[subject], base[verb]) for => {(subject, verb) for
                You turn the forms of test into words and look them up among the forms of train:
                base[...] is needed on both sides.
            counted from one
                [n for => [n + 1 for
                The right items, counted from 1. Places start at 0.
        """),
        Misconception(
            "places in train",
            lambda train, test, base: find_leaks(test, train, base),
            "These are the places in train. You need the places in test.",
        ),
    ),
)
