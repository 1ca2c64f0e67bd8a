"""A small English in which most words are ambiguous, and the sentence decides.

Some words are settled by a neighbour ("her": before a noun or not), some by a word far to the left
(after "has", "sailed" is a participle), some by one far to the right: *the ship sailed past the
old bridge* is whole, in *the ship sailed past the old bridge sank* it was the ship that was sailed.
Every sentence is drawn with its tags, so they need no annotator.
"""

from __future__ import annotations

from random import Random

from course_utils.data.tagging.examples import Example, Task


def _listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


TAGS = ("DET", "PRON", "ADJ", "NOUN", "VERB", "PART", "AUX", "ADP", "SCONJ")
NOUNS = _listed("bridge harbour pilot sailor tower river castle garden lantern captain")
EITHER = _listed("guard watch light plant duck train sail paint hammer mask")  # noun or verb
PLURALS = _listed("guards watches lights plants ducks trains sails paints hammers masks")
ADJECTIVES = _listed("old green narrow quiet broken")
ALSO_NOUNS = _listed("cold deep blind young light")  # adjective before a noun
MOVED = _listed("sailed moved turned rolled marched floated dropped")  # past or participle
ENDED = _listed("sank vanished arrived waited slept")  # past only
PLACES = _listed("near past behind under beside")
MODALS = _listed("can will must may")
MOST_PLACES = 3


class _Sentence:
    """Words with their tags, one after the other."""

    def __init__(self, random: Random):
        self.random = random
        self.words: list[str] = []
        self.tags: list[str] = []

    def say(self, word: str, tag: str) -> None:
        self.words.append(word)
        self.tags.append(tag)

    def pick(self, words: tuple[str, ...], tag: str) -> None:
        self.say(self.random.choice(words), tag)

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def thing(self) -> None:
        """Say a noun with what belongs to it: the old bridge, her duck, that guard light."""
        self.pick(("the", "the", "a", "her", "that"), "DET")
        if self.chance(0.35):
            self.pick(ADJECTIVES + ALSO_NOUNS, "ADJ")
        if self.chance(0.25):
            self.pick(EITHER, "NOUN")  # a compound
        self.pick(NOUNS + EITHER, "NOUN")

    def places(self, least: int = 0) -> None:
        """Say where, up to three times."""
        for _ in range(self.random.randint(least, MOST_PLACES)):
            self.pick(PLACES, "ADP")
            self.thing()

    def objects(self) -> None:
        """Say a thing, a pronoun or nothing."""
        if self.chance(0.5):
            self.thing()
        elif self.chance(0.5):
            self.say("her", "PRON")


def _statement(s: _Sentence) -> None:
    s.thing()
    s.places()
    s.pick(MOVED + ENDED, "VERB")
    s.places()


def _question(s: _Sentence) -> None:
    """Has the pilot near the river moved the boat: the first word makes it a participle."""
    s.say("has", "AUX")
    s.thing()
    s.places()
    s.pick(MOVED, "PART")
    s.objects()
    s.places()


def _garden_path(s: _Sentence) -> None:
    """The ship sailed past the bridge sank: the last verb makes the first one a participle."""
    s.thing()
    s.pick(MOVED, "PART")
    s.places(least=1)
    s.pick(ENDED, "VERB")


def _moved_somewhere(s: _Sentence) -> None:
    """Begin like a garden path, and end before it is one."""
    s.thing()
    s.pick(MOVED, "VERB")
    s.places(least=1)


def _plain_form(s: _Sentence) -> None:
    """The guards can watch the light: noun and verb in one form."""
    s.thing()
    s.places()
    if s.chance(0.5):
        s.pick(MODALS, "AUX")
        s.pick(EITHER, "VERB")
    else:
        s.pick(PLURALS, "VERB")
    s.objects()
    s.places()


def _plurals(s: _Sentence) -> None:
    """Old guards watch her plants: without an article the verb is found by counting on."""
    if s.chance(0.5):
        s.pick(ADJECTIVES + ALSO_NOUNS, "ADJ")
    s.pick(PLURALS, "NOUN")
    s.places()
    s.pick(EITHER, "VERB")
    if s.chance(0.5):
        s.pick(PLURALS, "NOUN")
    else:
        s.objects()


def _said(s: _Sentence) -> None:
    """The captain said that ... : "that" is no article here."""
    s.pick(("she", "he"), "PRON")
    s.say("said", "VERB")
    s.say("that", "SCONJ")
    s.random.choice((_statement, _moved_somewhere, _garden_path, _plurals))(s)


FRAMES = (_statement, _question, _garden_path, _moved_somewhere, _plain_form, _plurals, _said)


def draw_sentence(random: Random) -> Example:
    """Return one sentence and its tags."""
    s = _Sentence(random)
    random.choice(FRAMES)(s)
    return Example(s.words, s.tags)


def grammar_task(size: int = 2000, held_out: int = 500, seed: int = 0) -> Task:
    """Return sentences of the grammar; none stands in two parts."""
    random, seen = Random(f"grammar {seed}"), set()
    parts: list[list[Example]] = []
    for wanted in (held_out, held_out, size):  # so that a larger size keeps what is held out
        part: list[Example] = []
        while len(part) < wanted:
            example = draw_sentence(random)
            if tuple(example.words) not in seen:
                seen.add(tuple(example.words))
                part.append(example)
        parts.append(part)
    test, valid, train = parts
    return Task("grammar", "tagging", train, valid, test)
