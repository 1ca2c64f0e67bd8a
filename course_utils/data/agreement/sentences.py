"""Sentences whose grammar is known: a pattern, the words in its slots, a number for every noun."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import cache
from itertools import product
from random import Random
from typing import NamedTuple

from course_utils.data.agreement import lexicon
from course_utils.data.agreement.item import AgreementItem
from course_utils.data.agreement.lexicon import NUMBERS, Noun, Verb, other_number

# N noun, V verb, A adverb, M degree, P preposition; the first noun is the subject of the last
# verb. The first six are dependency types of Lakretz et al. (2019), then a relative clause; the
# last two are longer than anything that is trained on.
PATTERNS = {
    "simple": "the N V",
    "adverb": "the N A V",
    "two adverbs": "the N M A V",
    "coordinated adverbs": "the N A and A V",
    "noun-PP": "the N P the N V",
    "noun-PP-adverb": "the N P the N A V",
    "relative clause": "the N that the N V V",
    "two noun-PPs": "the N P the N P the N V",
    "three noun-PPs": "the N P the N P the N P the N V",
    "five noun-PPs": "the N P the N P the N P the N P the N P the N V",
}
TRAINED = tuple(PATTERNS)[:-2]
MOST_MIXED = 3  # up to this many nouns, numbers vary freely; beyond it, all but the first agree
PARTS = ("train", "train", "train", "validation", "test")  # a fifth of all pairs each
WORDS: dict[str, Sequence[str]] = {
    "A": lexicon.ADVERBS,
    "M": lexicon.DEGREES,
    "P": lexicon.PREPOSITIONS,
}
Word = str | Noun | Verb


class Frame(NamedTuple):
    """A pattern with a word in every slot; what is missing is the number of each noun."""

    kind: str
    words: tuple[Word, ...]

    @property
    def nouns(self) -> list[Noun]:
        """Return the nouns from left to right; the first is the subject."""
        return [word for word in self.words if isinstance(word, Noun)]

    @property
    def verbs(self) -> list[Verb]:
        """Return the verbs from left to right; the last agrees with the subject."""
        return [word for word in self.words if isinstance(word, Verb)]


def part_of(first: str, second: str) -> str:
    """Return the one part in which two words may form a pair, by a hash of both."""
    return PARTS[zlib.crc32(f"{first} {second}".encode()) % len(PARTS)]


def draw_frame(
    kind: str, part: str, random: Random, subjects: Sequence[Noun] = lexicon.NOUNS
) -> Frame:
    """Draw the words of a sentence so that all its pairs belong to one part of the data.

    An invented subject is paired with anything: as a subject it stands in no training sentence.
    """
    slots = PATTERNS[kind].split()
    while True:
        subject = random.choice(subjects)
        partners, objects = _verbs_of(subject, part), _nouns_of(subject, part)
        verb = random.choice(partners)
        nouns = random.sample(objects, min(slots.count("N") - 1, len(objects)))
        verbs = [verb]
        if slots.count("V") == 2:
            verbs.insert(0, random.choice(_verbs_of(nouns[-1], part)))
        words = _filled(slots, [subject, *nouns], verbs, random)
        frame = Frame(kind, words)
        fits = not nouns or part_of(nouns[-1].singular, verb.plural) == part
        if fits and len(set(words) - {"the"}) == sum(word != "the" for word in words):
            return frame


def _filled(
    slots: Sequence[str], nouns: Sequence[Noun], verbs: Sequence[Verb], random: Random
) -> tuple[Word, ...]:
    left: dict[str, list[Word]] = {"N": [*nouns], "V": [*verbs]}
    words: list[Word] = []
    for slot in slots:
        if slot in left:
            words.append(left[slot].pop(0))
        else:
            words.append(random.choice(WORDS[slot]) if slot in WORDS else slot)
    return tuple(words)


@cache
def _verbs_of(subject: Noun, part: str) -> list[Verb]:
    anything = subject in lexicon.INVENTED
    fits = [anything or part_of(subject.singular, v.plural) == part for v in lexicon.VERBS]
    return [verb for verb, fit in zip(lexicon.VERBS, fits, strict=True) if fit]


@cache
def _nouns_of(subject: Noun, part: str) -> list[Noun]:
    anything = subject in lexicon.INVENTED
    fits = [anything or part_of(subject.singular, n.singular) == part for n in lexicon.NOUNS]
    return [noun for noun, fit in zip(lexicon.NOUNS, fits, strict=True) if fit and noun != subject]


def conditions(frame: Frame) -> list[str]:
    """Return every choice of numbers for the nouns: S and P, or SS, SP, PS and PP, and so on.

    Where there are many nouns, all but the subject have one number: SSSS, SPPP, PSSS and PPPP.
    """
    nouns = len(frame.nouns)
    if nouns <= MOST_MIXED:
        return ["".join(numbers) for numbers in product(NUMBERS, repeat=nouns)]
    return [subject + (nouns - 1) * others for subject, others in product(NUMBERS, repeat=2)]


def spell(frame: Frame, condition: str) -> AgreementItem:
    """Return the sentence up to and including its verb, and both forms of that verb."""
    numbers, verbs = list(condition), [*frame.verbs]
    words: list[str] = []
    number = ""
    for word in frame.words:
        if isinstance(word, Noun):
            number = numbers.pop(0)
            words.append(word.form(number))
        elif isinstance(word, Verb):
            verbs.pop(0)  # an inner verb agrees with the noun before it
            words.append(word.form(number if verbs else condition[0]))
        else:
            words.append(word)
    other = other_number(condition[0])
    right, wrong = (frame.verbs[-1].form(number) for number in (condition[0], other))
    attractors = condition[1:].count(other)
    cue = next(n for n, word in enumerate(frame.words) if isinstance(word, Noun))
    return AgreementItem(
        words, len(words) - 1, right, wrong, cue, attractors, frame.kind, condition
    )
