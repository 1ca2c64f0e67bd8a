"""The small English: what its labels say is so, and no part knows another's pairs."""

from __future__ import annotations

import random
from collections import Counter
from random import Random

import pytest

from course_utils.data.agreement import lexicon
from course_utils.data.agreement.balanced import (
    agreement_items,
    discourse_pairs,
    invented_items,
    selection_items,
)
from course_utils.data.agreement.corpus import agreement_text, whole_items
from course_utils.data.agreement.lexicon import Noun, Verb
from course_utils.data.agreement.sentences import (
    PATTERNS,
    TRAINED,
    Frame,
    conditions,
    draw_frame,
    spell,
)
from course_utils.data.vocabulary import END

NOUN_OF = {form: noun.singular for noun in lexicon.NOUNS for form in noun}
VERB_OF = {form: verb.plural for verb in lexicon.VERBS for form in verb}  # past as well
BOY, DOG, MAN = Noun("boy", "boys"), Noun("dog", "dogs"), Noun("man", "men")
SEE, LOVE = Verb("sees", "see", "saw"), Verb("loves", "love", "loved")

BY_HAND = [
    (Frame("noun-PP", ("the", BOY, "near", "the", MAN, SEE)), "SP",
     "the boy near the men sees", "sees", "see", 1, 3),
    (Frame("noun-PP", ("the", MAN, "near", "the", BOY, SEE)), "PP",
     "the men near the boys see", "see", "sees", 0, 3),
    (Frame("relative clause", ("the", DOG, "that", "the", MAN, LOVE, SEE)), "PS",
     "the dogs that the man loves see", "see", "sees", 1, 4),
    (Frame("relative clause", ("the", DOG, "that", "the", MAN, LOVE, SEE)), "SP",
     "the dog that the men love sees", "sees", "see", 1, 4),
    (Frame("coordinated adverbs", ("the", BOY, "kindly", "and", "often", SEE)), "S",
     "the boy kindly and often sees", "sees", "see", 0, 3),
]  # fmt: skip


@pytest.mark.parametrize(
    ("frame", "condition", "text", "right", "wrong", "attractors", "distance"), BY_HAND
)
def test_sentences_agree_as_one_would_write_them(
    frame, condition, text, right, wrong, attractors, distance
):
    """Catches a verb that agrees with the nearest noun, an inner one that agrees with the first."""
    item = spell(frame, condition)
    assert " ".join(item.words) == text
    assert (item.right, item.wrong) == (right, wrong)
    assert (item.attractors, item.distance) == (attractors, distance)
    assert item.words[item.position] == right


def test_long_sentences_mix_no_numbers():
    """Catches 64 conditions of six nouns, or fewer than four."""
    assert len(conditions(draw_frame("two noun-PPs", "test", Random(0)))) == 8
    longest = draw_frame("five noun-PPs", "test", Random(0))
    assert conditions(longest) == ["SSSSSS", "SPPPPP", "PSSSSS", "PPPPPP"]


def pairs_read(words: list[str]) -> set[tuple[str, str]]:
    """Return what a reader of a sentence sees of its subject: the verb, the nouns up to it.

    Written from the text alone: labels do not come into it.
    """
    if words[1] not in NOUN_OF:
        return set()
    subject = NOUN_OF[words[1]]
    (*_, place) = (n for n, word in enumerate(words) if word in VERB_OF)
    nouns = {NOUN_OF[word] for word in words[2:place] if word in NOUN_OF}
    last = [NOUN_OF[word] for word in words[:place] if word in NOUN_OF][-1]
    verb = VERB_OF[words[place]]
    return {(subject, noun) for noun in nouns} | {(subject, verb), (last, verb)}


def read_back(text: list[str]) -> list[list[str]]:
    """Cut a text into its sentences again."""
    return [part.split() for part in " ".join(text).split(END) if part.strip()]


def test_no_part_knows_another_parts_pairs():
    """Catches a leak: a subject met with its verb, or with an attractor, in training."""
    found = {}
    for part in ("train", "validation", "test"):
        sentences = read_back(agreement_text(part, 6000, 0))
        found[part] = set().union(*map(pairs_read, sentences))
        assert len(found[part]) > 600
    asked = agreement_items("test", [kind for kind in PATTERNS if "noun-PPs" not in kind])
    found["asked"] = set().union(*(pairs_read(item.words) for item in asked))
    assert found["asked"] <= found["test"] | found["asked"]
    for one, other in (("train", "validation"), ("train", "test"), ("validation", "test"),
                       ("train", "asked")):  # fmt: skip
        assert not found[one] & found[other], (one, other)


def test_every_word_of_the_test_is_taught():
    """Catches a test of words that no model could know."""
    taught = set(agreement_text("train", 10_000, 0))
    items = [*agreement_items(), *invented_items(), *discourse_pairs(), *selection_items()]
    assert {word for item in items for word in (*item.words, item.wrong)} <= taught


def test_a_test_asks_nothing_twice():
    """Catches sentences that count double."""
    items = [*agreement_items(), *invented_items(), *discourse_pairs(), *selection_items()]
    texts = Counter((" ".join(item.words), item.wrong) for item in items)
    assert max(texts.values()) == 1


@pytest.mark.parametrize("kind", PATTERNS)
def test_no_taste_is_worth_more_than_a_half(kind):
    """Catches a set in which the commoner form, or a bag of words, wins by itself."""
    items = agreement_items("test", (kind,))
    liked = {form: random.Random(form).random() for verb in lexicon.VERBS for form in verb}
    assert sum(liked[item.right] > liked[item.wrong] for item in items) == len(items) / 2
    forms = Counter(item.right for item in items)
    assert all(forms[verb.singular] == forms[verb.plural] for verb in lexicon.VERBS)
    assert {item.words[0] for item in items} == {"the"}


def test_groups_are_balanced():
    """Catches a thing that is right more often than it is wrong."""
    items = selection_items()
    assert len(items) > 150
    assert Counter(i.right for i in items) == Counter(i.wrong for i in items)


def test_what_is_said_of_places_holds():
    """Catches a tower on the beach."""
    for item in discourse_pairs():
        assert lexicon.BUILT_AT[item.words[item.cue]] == item.right
    for item in selection_items():
        assert lexicon.ENTERS[item.words[item.cue]] == item.right


def test_invented_nouns_are_never_subjects_in_a_text():
    """Catches a wug test whose answer was read."""
    invented = {form for noun in lexicon.INVENTED for form in noun}
    shown = Counter()
    for words in read_back(agreement_text("train", 8000, 0)):
        for place, word in enumerate(words):
            if word in invented:
                assert place == len(words) - 2
                shown[word] += 1
                number = "S" if word in {noun.singular for noun in lexicon.INVENTED} else "P"
                assert words[place - 1] in lexicon.DETERMINERS[number]
    assert set(shown) == invented
    assert {item.words[1] for item in invented_items()} <= invented


def test_whole_sentences_are_labelled_right():
    """Catches a label that a later change of the words has made false."""
    seen = Counter()
    for item in whole_items("test", 300):
        word = item.words[item.position]
        past = {verb.past for verb in lexicon.VERBS}
        seen[item.construction] += 1
        seen["past"] += word in past
        assert word == item.right or word in past
        assert item.words[-1] == "."
        nouns = [word for word in item.words[: item.position] if word in NOUN_OF]
        numbers = ["S" if NOUN_OF[word] == word else "P" for word in nouns]
        assert "".join(numbers) == item.condition
    assert set(TRAINED) <= set(seen)
    assert 40 < seen["past"] < 120


def test_a_seed_makes_the_same_text():
    """Catches an order that depends on the hash of this process."""
    text = " ".join(agreement_text("train", 2, 0))
    assert text == (
        f"{END} the miner joined the man . {END} the choir beside the hill entered the stage . "
        f"{END}"
    )
