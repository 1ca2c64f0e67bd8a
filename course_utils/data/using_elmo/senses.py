"""Sentences with a word in a known sense: clauses that fix the sense, among words that do not.

Every clause is met in several sentences, so whoever asks for the nearest use must leave out those
with the same clause: else the answer is a copy and not a sense.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from course_utils.data.tokens import tokenize

OPENINGS = (
    "we know that",
    "I am happy to say that",
    "it was reported that",
    "the Secretary informs me that",
    "you will remember that",
    "there is no doubt that",
    "many believed that",
    "it must be admitted that",
)
ENDINGS = (
    "at that time",
    "in the last year",
    "during the war",
    "as the people had hoped",
    "without any delay",
    "in every part of the country",
    "before the end of the session",
    "when peace was made",
)
CLAUSES = {
    "right": {
        "claim": (
            "the *right* of citizens to vote was denied",
            "every man had a *right* to his own property",
            "the *right* of search was never given up",
            "they defended the *right* to trade with all nations",
            "no nation has the *right* to close the river",
            "his *right* to the land was recognized by the court",
        ),
        "correct": (
            "it was the *right* thing to do",
            "we were on the *right* road",
            "the *right* answer was found by the committee",
            "he was the *right* man for the place",
            "this policy proved to be *right* and wise",
            "they chose the *right* moment to act",
        ),
    },
    "duties": {
        "taxes": (
            "the *duties* on imported goods were reduced",
            "lower *duties* were laid upon sugar and coffee",
            "the *duties* collected at New York paid the debt",
            "foreign vessels paid higher *duties* than our own",
            "the revenue from *duties* upon iron was large",
            "these *duties* protect our manufactures",
        ),
        "tasks": (
            "the *duties* of his office were well performed",
            "he entered upon his *duties* with great zeal",
            "the officers neglected their *duties*",
            "she discharged her *duties* with skill",
            "new *duties* were given to the commission",
            "it is one of the first *duties* of a citizen to obey the law",
        ),
    },
    "interest": {
        "money": (
            "the *interest* on the public debt was paid",
            "the loan bears *interest* at six per cent",
            "bonds with lower *interest* were sold",
            "the bank raised the rate of *interest*",
            "principal and *interest* were due in gold",
            "they borrowed at a high *interest*",
        ),
        "concern": (
            "the people took a deep *interest* in the schools",
            "this subject is of great *interest* to every farmer",
            "we watched their struggle with *interest* and sympathy",
            "the nation has lost its *interest* in the question",
            "it was a matter of common *interest* to both countries",
            "he read the report with much *interest*",
        ),
    },
    "capital": {
        "money": (
            "*capital* was invested in railroads and mines",
            "labor and *capital* must work together",
            "foreign *capital* was needed for the canal",
            "the bank increased its *capital* by a million dollars",
            "men without *capital* could buy no machinery",
            "there was no lack of *capital* for new factories",
        ),
        "city": (
            "our minister left the *capital* of Mexico",
            "the army entered the *capital* of that country",
            "the government returned to the *capital* of the nation",
            "fighting broke out in the streets of the *capital*",
            "the *capital* was taken by the enemy",
            "a delegation visited the *capital* of Spain",
        ),
    },
    "act": {
        "law": (
            "an *act* of Congress was approved by the President",
            "the *act* of March was repealed",
            "this *act* provides for the sale of land",
            "a new *act* was passed by both Houses",
            "the court declared the *act* void",
            "under that *act* the tariff was changed",
        ),
        "do": (
            "we must *act* with firmness",
            "the governors refused to *act* together",
            "they will *act* in good faith",
            "Congress did not *act* upon the message",
            "free men *act* for themselves",
            "he was asked to *act* as a judge",
        ),
    },
    "present": {
        "now": (
            "the *present* condition of the Treasury is good",
            "under the *present* law nothing can be done",
            "the *present* session will be short",
            "our *present* system of taxes is unjust",
            "the *present* Congress has the power",
            "prices are high at the *present* day",
        ),
        "offer": (
            "the envoys came to *present* their letters",
            "I shall *present* a plan to you",
            "the committee will *present* its report",
            "they wished to *present* a claim for damages",
            "it is my duty to *present* these facts",
            "the treaties which we *present* are fair",
        ),
    },
    "state": {
        "condition": (
            "the *state* of the finances was good",
            "the country was in a *state* of war",
            "the army was in a bad *state*",
            "affairs were in an unhappy *state*",
            "the roads had fallen into a *state* of decay",
            "such a *state* of things could not continue",
        ),
        "say": (
            "I am able to *state* that peace was near",
            "it is proper to *state* the reasons",
            "he was asked to *state* his opinion",
            "the reports *state* that the crops failed",
            "we regret to *state* that nothing was done",
            "let me *state* the facts",
        ),
    },
    "means": {
        "way": (
            "the best *means* of defense is a navy",
            "they lacked the *means* to pay their debts",
            "peaceful *means* were tried",
            "we had no *means* of knowing the truth",
            "other *means* must be found",
            "the ways and *means* were left to the House",
        ),
        "signify": (
            "freedom *means* more than words",
            "this bill *means* work for all",
            "a strong economy *means* better schools",
            "delay *means* danger",
            "that *means* a higher price for bread",
            "security *means* nothing without justice",
        ),
    },
    "kind": {
        "sort": (
            "a new *kind* of weapon was used",
            "no tax of this *kind* was paid",
            "every *kind* of property lost its value",
            "the first measure of its *kind* was passed",
            "that *kind* of government could not last",
            "the same *kind* of goods were sold",
        ),
        "friendly": (
            "his *kind* words were welcome",
            "a *kind* Providence watched over us",
            "they were *kind* to the prisoners",
            "we received *kind* treatment from the people",
            "the Emperor was *kind* and generous",
            "our *kind* neighbors sent food",
        ),
    },
    "subject": {
        "topic": (
            "the *subject* was referred to a committee",
            "I call your attention to this *subject*",
            "much was said upon the *subject* of slavery",
            "letters on the *subject* were sent to London",
            "this important *subject* deserves your care",
            "he wrote a report on that *subject*",
        ),
        "liable": (
            "all goods are *subject* to duty",
            "the treaty is *subject* to the approval of the Senate",
            "the islands were *subject* to the crown",
            "officers are *subject* to removal",
            "every law is *subject* to change",
            "they were made *subject* to heavy taxes",
        ),
    },
}


class Use(NamedTuple):
    """A word in a sentence, its sense, and which clause fixed it."""

    tokens: list[str]
    position: int
    sense: str
    clause: int  # number among all clauses: neighbours of the same one do not count

    @property
    def word(self) -> str:
        """Return the word whose sense is meant."""
        return self.tokens[self.position]


def sense_uses(each: int = 4, seed: int = 0) -> list[Use]:
    """Return every clause in `each` sentences, all senses of a word equally often."""
    rng, uses, number = Random(seed), [], 0
    for senses in CLAUSES.values():
        for sense, clauses in senses.items():
            for clause in clauses:
                for opening in rng.sample(OPENINGS, each):
                    uses.append(_spell(opening, clause, rng.choice(ENDINGS), sense, number))
                number += 1
    return uses


def _spell(opening: str, clause: str, ending: str, sense: str, number: int) -> Use:
    before, word, after = clause.split("*")
    first = [*tokenize(opening), *tokenize(before.strip())]
    tokens = [*first, word, *tokenize(after.strip()), *tokenize(ending), "."]
    tokens[0] = tokens[0][0].upper() + tokens[0][1:]
    return Use(tokens, len(first), sense, number)
