"""The counting languages are what their names say, and what a network reads is what they say."""

from __future__ import annotations

import itertools
import random
import re

import pytest
import torch

from course_utils.data.counting import (
    DYCK,
    END,
    POWERS_OF_THREE,
    POWERS_OF_TWO,
    SHUFFLE,
    near_misses,
    reading,
)

LANGUAGES = (POWERS_OF_TWO, POWERS_OF_THREE, DYCK, SHUFFLE)


def emptied(text: str, *pairs: str) -> str:
    """Take out neighbours that close each other until there are none."""
    while any(pair in text for pair in pairs):
        for pair in pairs:
            text = text.replace(pair, "")
    return text


def belongs(language, text: str) -> bool:
    """Decide by another way than by counting along."""
    if language in (POWERS_OF_TWO, POWERS_OF_THREE):
        n = len(text) // len(language.letters)
        return n > 0 and text == "".join(letter * n for letter in language.letters)
    kinds = [re.sub(f"[^{re.escape(pair)}]", "", text) for pair in language.pairs]
    return all(not emptied(kind, *language.pairs) for kind in kinds)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_short_text_is_judged_as_by_its_definition(language):
    """Catches a letter too many that is made good later, and an end that comes too early."""
    longest = {2: 8, 3: 6, 4: 6}[len(language.letters)]
    texts = [
        "".join(letters)
        for length in range(longest + 1)
        for letters in itertools.product(language.letters, repeat=length)
    ]
    accepted = [text for text in texts if language.accepts(text)]
    assert accepted == [text for text in texts if belongs(language, text)]
    assert len(accepted) > 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_may_follow_is_what_can_still_be_made_good(language):
    """Catches a symbol that is allowed although no text goes on like this, or one that is not."""
    longest = {2: 3, 3: 2, 4: 2}[len(language.letters)]
    room = {2: 8, 3: 9, 4: 6}[len(language.letters)]
    members = [
        "".join(letters)
        for length in range(room + 1)
        for letters in itertools.product(language.letters, repeat=length)
        if belongs(language, "".join(letters))
    ]
    for length in range(longest + 1):
        for letters in itertools.product(language.letters, repeat=length):
            text = "".join(letters)
            after = {(m + END)[length] for m in members if m.startswith(text)}
            assert language.allowed(text)[-1] == after, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_members_belong_and_near_misses_do_not(language):
    """Catches a slip that leaves a member, and a list without the two off by one."""
    for n in (1, 2, 5):
        member = language.member(n)
        assert belongs(language, member)
        misses = near_misses(language, member)
        assert len({*misses}) == len(misses) >= 3
        assert not any(belongs(language, miss) for miss in misses)
        assert {len(miss) - len(member) for miss in misses} >= {-1, 1}


@pytest.mark.parametrize("language", [DYCK, SHUFFLE])
def test_drawn_texts_are_balanced_and_decided_by_the_generator(language):
    """Catches a text that never closes, a kind that is never drawn, the global generator."""
    texts = [language.draw(20, torch.Generator().manual_seed(seed)) for seed in range(40)]
    assert all(len(text) == 20 and belongs(language, text) for text in texts)
    assert len({*texts}) > 30
    assert {*"".join(texts)} == {*language.letters}
    torch.manual_seed(1)
    assert language.draw(20, torch.Generator().manual_seed(3)) == texts[3]
    with pytest.raises(ValueError, match="even number"):
        language.draw(7, torch.Generator())


def test_a_stranger_is_told():
    """Catches a KeyError where a reader typed a letter of another language."""
    with pytest.raises(ValueError, match="'c' is not a letter of this language"):
        POWERS_OF_TWO.allowed("abc")
    with pytest.raises(ValueError, match="'x' is not a letter"):
        SHUFFLE.accepts("(x)")
    with pytest.raises(ValueError, match="n = 1"):
        POWERS_OF_TWO.member(0)


def test_a_reading_is_the_texts_one_after_the_end():
    """Catches sets shifted by one step, a wrong order of symbols, padding taken for real."""
    chance = random.Random(4)
    texts = ["aabbcc", "abc", "aaabbbccc", "aab"]
    chance.shuffle(texts)
    read = reading(POWERS_OF_THREE, texts)
    assert read.tokens.shape == (10, 4)
    assert read.allowed.shape == (10, 4, 4)
    symbols = POWERS_OF_THREE.symbols
    assert symbols == "⊣abc"
    for column, text in enumerate(texts):
        assert "".join(symbols[k] for k in read.tokens[: len(text) + 1, column]) == END + text
        assert read.real[:, column].tolist() == [t <= len(text) for t in range(10)]
        for t, may in enumerate(POWERS_OF_THREE.allowed(text)):
            assert {s for s, on in zip(symbols, read.allowed[t, column], strict=True) if on} == may
