"""A text to learn agreement from: many sentences whose grammar is fully known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from random import Random

from course_utils.data.agreement import lexicon
from course_utils.data.agreement.item import AgreementItem
from course_utils.data.agreement.lexicon import NUMBERS
from course_utils.data.agreement.sentences import TRAINED, conditions, draw_frame, part_of, spell
from course_utils.data.vocabulary import END

Sentence = list[str]
MARKED = 0.25  # share of noun phrases whose determiner shows the number
PAST = 0.25  # share of sentences whose verb shows none
# what is read before a question: nobody has ever begun to read this text from nothing
NEUTRAL = (END, "Alice", "built", "a", "house", ".", END)
NUMBER_OF = {
    form: number for noun in lexicon.NOUNS for number, form in zip(NUMBERS, noun, strict=True)
}
ALL_NAMES = tuple(name for names in lexicon.NAMES.values() for name in names)


def agreement_item(part: str, random: Random) -> AgreementItem:
    """Return a whole sentence of a trained kind, its numbers drawn one by one.

    Some of its determiners show a number; some of its verbs are in the past tense and show none.
    """
    frame = draw_frame(random.choice(TRAINED), part, random)
    item = spell(frame, random.choice(conditions(frame)))
    words = _with_determiners(item.words, random)
    if random.random() < PAST:
        words[-1] = frame.verbs[-1].past
    return item._replace(words=[*words, *_object(random), "."])


def whole_items(part: str, count: int, seed: int = 0) -> list[AgreementItem]:
    """Return whole sentences of all trained kinds, their labels known."""
    random = Random(f"whole {part} {seed}")
    return [agreement_item(part, random) for _ in range(count)]


def agreement_sentence(part: str, random: Random) -> Sentence:
    """Return the words of such a sentence."""
    return agreement_item(part, random).words


def invented_object(part: str, random: Random) -> Sentence:
    """Return a short sentence about an invented thing; the determiner gives its number away."""
    number = random.choice(NUMBERS)
    noun = random.choice(lexicon.INVENTED)
    who = random.choice(ALL_NAMES)
    seen = random.choice(lexicon.VERBS).past
    return [who, seen, random.choice(lexicon.DETERMINERS[number]), noun.form(number), "."]


def discourse(part: str, random: Random) -> Sentence:
    """Return where somebody went, and what is built there."""
    name, place = random.choice(pairs_in(part, ALL_NAMES, tuple(lexicon.BUILT_AT)))
    return [*discourse_start(name, place, _perhaps_adverb(random)), lexicon.BUILT_AT[place], "."]


def discourse_start(name: str, place: str, adverbs: Sequence[str]) -> Sentence:
    """Return the words before what is built."""
    pronoun = next(word for word, names in lexicon.NAMES.items() if name in names)
    return [name, "went", "to", "the", place, ".", "there", pronoun, *adverbs, "built", "a"]


def selection(part: str, random: Random) -> Sentence:
    """Return who enters what."""
    who, landmark = random.choice(pairs_in(part, tuple(lexicon.ENTERS), lexicon.LANDMARKS))
    where = [random.choice(lexicon.PREPOSITIONS), "the", landmark, *_perhaps_adverb(random)]
    return [*selection_start(who, where), lexicon.ENTERS[who], "."]


def selection_start(who: str, where: Sequence[str]) -> Sentence:
    """Return the words before what is entered."""
    return ["the", who, *where, "entered", "the"]


@cache
def pairs_in(part: str, first: tuple[str, ...], second: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the pairs of words that belong to a part of the data."""
    return [pair for pair in product(first, second) if part_of(*pair) == part]


def _perhaps_adverb(random: Random) -> Sentence:
    return [random.choice(lexicon.ADVERBS)] if random.random() < 0.5 else []


def house_building(part: str, random: Random) -> Sentence:
    """Return a sentence that makes a house, by default, the most likely thing to be built."""
    name = random.choice(ALL_NAMES)
    return [name, "built", "a", "house", "."]


MIXTURE: dict[Callable[[str, Random], Sentence], int] = {
    agreement_sentence: 76,
    invented_object: 8,
    discourse: 6,
    selection: 6,
    house_building: 4,
}


def agreement_text(part: str, sentences: int, seed: int) -> list[str]:
    """Return `sentences` sentences in a row, with END before each and after the last."""
    random = Random(f"{part} {seed}")
    kinds = random.choices(list(MIXTURE), list(MIXTURE.values()), k=sentences)
    words = [END]
    for kind in kinds:
        words += [*kind(part, random), END]
    return words


def _with_determiners(words: Sentence, random: Random) -> Sentence:
    """Replace some of the articles by determiners that show the number of their noun."""
    return [
        random.choice(lexicon.DETERMINERS[NUMBER_OF[after]])
        if word == "the" and random.random() < MARKED
        else word
        for word, after in zip(words, [*words[1:], ""], strict=True)
    ]


def _object(random: Random) -> Sentence:
    noun = random.choice(lexicon.NOUNS).form(random.choice(NUMBERS))
    return _with_determiners(["the", noun], random)
