"""Exercise 6.1: minimal pairs in all four conditions."""

from __future__ import annotations

from course_utils.checks.exercise import Exercise
from course_utils.checks.mistakes import mistakes

Forms = tuple[str, str]  # singular, plural


def minimal_pairs(subject: Forms, attractor: Forms, verb: Forms) -> dict[str, tuple[str, str, str]]:
    """Return for every condition the beginning, the right form of the verb, the wrong one."""
    pairs = {}
    for condition in ("SS", "SP", "PS", "PP"):
        a, b = ("SP".index(number) for number in condition)
        beginning = f"the {subject[a]} near the {attractor[b]}"
        pairs[condition] = (beginning, verb[a], verb[1 - a])
    return pairs


EXERCISE = Exercise(
    number="6.1",
    task="minimal pairs in all four conditions",
    reference=minimal_pairs,
    takes="subject, attractor, verb: (singular, plural) forms each",
    gives='a dict {"SS": (beginning, right form, wrong form), "SP": ..., "PS": ..., "PP": ...}',
    example=(("key", "keys"), ("door", "doors"), ("opens", "open")),
    cases=lambda: [
        (("key", "keys"), ("door", "doors"), ("opens", "open")),
        (("man", "men"), ("mouse", "mice"), ("sees", "see")),
    ],
    hints=(
        "The first letter of a condition is the subject's number, the second the attractor's. "
        "Which of them decides the verb?",
        "Loop over SS, SP, PS, PP; 0 for S and 1 for P picks a form of each pair.",
        'With a, b = ["SP".index(n) for n in condition]: the beginning is f"the {subject[a]} near '
        'the {attractor[b]}", the forms verb[a], verb[1 - a].',
    ),
    misconceptions=mistakes("""
        agrees with the nearest noun
            verb[a], verb[1 - a] => verb[b], verb[1 - b]
            Your verb agrees with the noun that stands next to it. The first noun is the subject;
            the other is there to attract you.
        wrong form first
            verb[a], verb[1 - a] => verb[1 - a], verb[a]
            Your two forms are swapped: first the right one, then the wrong one. (A verb with an s
            is singular.)
        attractor first
            {subject[a]} near the {attractor[b]} => {attractor[b]} near the {subject[a]}
            The subject must come first: the SUBJECT near the ATTRACTOR.
        nearest noun and wrong form first
            verb[a], verb[1 - a] => verb[1 - b], verb[b]
            Two things at once: the verb agrees with the first noun, and its right form comes first.
        only congruent conditions
            ("SS", "SP", "PS", "PP") => ("SS", "PP")
            SP and PS are missing: without them a model that follows the nearest noun is
            always right.
        only incongruent conditions
            ("SS", "SP", "PS", "PP") => ("SP", "PS")
            SS and PP are missing: without them a model that contradicts the nearest noun is always
            right.
        always singular first
            verb[a], verb[1 - a] => *verb
            The right form comes first, and it is not the same in all conditions: where the subject
            is plural, so is the verb.
        attractor's number first
            in condition) => in condition[::-1])
            You read SP the other way round: the subject's number comes first.
        verb in the beginning
            (beginning, verb[a], => (f"{beginning} {verb[a]}", verb[a],
            Your beginning holds the verb already. It ends before the verb: the two forms are what
            a model has to choose between.
        no determiner
            the {subject[a]} near the {attractor[b]} => {subject[a]} near {attractor[b]}
            The words are right, but 'the' is missing before the nouns.
        another determiner
            the {subject[a]} near the {attractor[b]} => a {subject[a]} near a {attractor[b]}
            'a' gives the number away. 'the' stands before both numbers.
    """),
)
