"""Test sets with every sentence in every condition, so that no single word gives it away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations, product
from random import Random

from course_utils.data.agreement import lexicon
from course_utils.data.agreement.corpus import (
    ALL_NAMES,
    discourse_start,
    pairs_in,
    selection_start,
)
from course_utils.data.agreement.item import AgreementItem
from course_utils.data.agreement.lexicon import Noun
from course_utils.data.agreement.sentences import PATTERNS, Frame, conditions, draw_frame, spell

PLACES = tuple(lexicon.BUILT_AT)
FRAMES = 30  # per kind of sentence, each once in every condition


def agreement_items(
    part: str = "test",
    kinds: Sequence[str] = tuple(PATTERNS),
    frames: int = FRAMES,
    seed: int = 0,
    subjects: Sequence[Noun] = lexicon.NOUNS,
) -> list[AgreementItem]:
    """Return `frames` different sentences of each kind, each in every condition.

    So each verb is asked for in both forms equally often, and every noun in both numbers.
    """
    items = []
    for kind in kinds:
        random = Random(f"{part} {kind} {seed}")
        drawn: dict[Frame, None] = {}
        while len(drawn) < frames:
            drawn[draw_frame(kind, part, random, subjects)] = None
        items += [spell(frame, numbers) for frame in drawn for numbers in conditions(frame)]
    return items


def invented_items(
    kind: str = "noun-PP", part: str = "test", frames: int = FRAMES, seed: int = 0
) -> list[AgreementItem]:
    """Return sentences whose subject is a word that was never a subject in training."""
    return agreement_items(part, (kind,), frames, seed, lexicon.INVENTED)


def discourse_pairs(part: str = "test") -> list[AgreementItem]:
    """Return every ordered pair of places, one asked for and one against it, for every name.

    The wrong thing may belong to a place where this person never was, so that every pair is asked,
    not only those of which a part has both.
    """
    names = {
        place: [n for n, p in pairs_in(part, ALL_NAMES, PLACES) if p == place] for place in PLACES
    }
    return [
        _choice(
            discourse_start(name, place, []), lexicon.BUILT_AT, place, other, f"{place} {other}"
        )
        for place, other in permutations(PLACES, 2)
        for name in names[place]
    ]


def selection_items(part: str = "test") -> list[AgreementItem]:
    """Return contrasts of who enters what: each thing is right as often as it is wrong."""
    items = []
    pairs = pairs_in(part, tuple(lexicon.ENTERS), lexicon.LANDMARKS)
    things = dict.fromkeys(lexicon.ENTERS.values())
    for landmark, preposition in product(lexicon.LANDMARKS, lexicon.PREPOSITIONS):
        groups: dict[str, list[str]] = {thing: [] for thing in things}
        for who, where in pairs:
            if where == landmark:
                groups[lexicon.ENTERS[who]].append(who)
        for thing, other in permutations(things, 2):
            for who, rival in zip(groups[thing], groups[other], strict=False):
                words = selection_start(who, [preposition, "the", landmark])
                items.append(_choice(words, lexicon.ENTERS, who, rival, "selection"))
    return items


def _choice(
    words: list[str], gives: Mapping[str, str], cue: str, other: str, kind: str
) -> AgreementItem:
    right, wrong = gives[cue], gives[other]
    return AgreementItem([*words, right], len(words), right, wrong, words.index(cue), None, kind)
