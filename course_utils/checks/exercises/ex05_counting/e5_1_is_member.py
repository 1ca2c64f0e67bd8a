"""Exercise 5.1: recognise a^n b^n c^n."""

from __future__ import annotations

import re
from collections.abc import Callable

from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes

TEXTS = (
    "abc", "", "aabbcc", "aabbc", "abbcc", "aabcc", "abcabc", "cba", "ab", "aaabbbccc", "acb",
    "aabbbcccc", "aaaabbbbcccc", "abcc", "aaabbc", "bbcc", "aabb", "abbccc",
)  # fmt: skip


def is_member(text: str) -> bool:
    """Return whether a text is a^n b^n c^n with n at least 1."""
    n = len(text) // 3
    return n > 0 and text == "a" * n + "b" * n + "c" * n


def _counts(text: str) -> list[int]:
    return [text.count(letter) for letter in "abc"]


def _ordered(text: str, same: Callable[[int, int, int], bool]) -> bool:
    a, b, c = _counts(text)
    return min(a, b, c) > 0 and text == "a" * a + "b" * b + "c" * c and same(a, b, c)


EXERCISE = Exercise(
    number="5.1",
    task="recognise a^n b^n c^n",
    reference=is_member,
    takes="text: a string of the letters a, b and c",
    gives="True or False",
    example=("aabbcc",),
    cases=lambda: [(text,) for text in TEXTS],
    hints=(
        "Only one text of each length can belong. Which one?",
        "n is a third of the length. Build the only text that belongs, and compare.",
        "n = len(text) // 3; return n > 0 and text == 'a' * n + 'b' * n + 'c' * n",
    ),
    misconceptions=(
        Misconception(
            "counts without order, empty too",
            lambda text: len({*_counts(text)}) == 1,
            "You count, but any order will do for you, and no letters at all: try 'abcabc' and ''.",
        ),
        Misconception(
            "counts without order",
            lambda text: len({*_counts(text)}) == 1 and len(text) > 0,
            "You count, but in any order: try 'abcabc'.",
        ),
        Misconception(
            "order without counts, empty too",
            lambda text: list(text) == sorted(text),
            "You look at the order alone, and let even '' pass: 'aabbc' does not belong.",
        ),
        Misconception(
            "order without counts",
            lambda text: _ordered(text, lambda a, b, c: True),
            "You look at the order alone: 'aabbc' is in order and does not belong.",
        ),
        *mistakes("""
            the empty text
                n > 0 and text == "a" * n + "b" * n + "c" * n => text == "a" * n + "b" * n + "c" * n
                n is at least 1: the empty text does not belong.
        """),
        Misconception(
            "a and b alone",
            lambda text: _ordered(text, lambda a, b, c: a == b),
            "You compare a with b and never ask the c's: try 'aabbc'.",
        ),
        Misconception(
            "b and c alone",
            lambda text: _ordered(text, lambda a, b, c: b == c),
            "You compare b with c and never ask the a's: try 'abbcc'.",
        ),
        Misconception(
            "a and c alone",
            lambda text: _ordered(text, lambda a, b, c: a == c),
            "You compare a with c and never ask the b's: try 'aabcc'.",
        ),
        Misconception(
            "a length that divides",
            Change('text == "a" * n + "b" * n + "c" * n', "len(text) % 3 == 0"),
            "A length that three divides says nothing of the letters: try 'cba'.",
        ),
        Misconception(
            "in order, a length that divides",
            lambda text: len(text) % 3 == 0 and _ordered(text, lambda a, b, c: True),
            "In order, and a length that three divides, is not enough: 'abbccc' has both.",
        ),
        Misconception(
            "abc again and again",
            lambda text: bool(re.fullmatch("(abc)+", text)),
            "You repeat abc as a whole. All a come first: aabbcc, not abcabc.",
        ),
        Misconception(
            "two letters",
            Change("len(text) // 3", "len(text) // 2", also={' + "c" * n': ""}),
            "That is a^n b^n. The c's are missing.",
        ),
        Misconception(
            "at least as many",
            lambda text: _ordered(text, lambda a, b, c: a <= b <= c),
            "You ask for at least as many of the next letter. Exactly as many are needed.",
        ),
        Misconception(
            "a and b alone, empty too",
            lambda text: text == "".join(sorted(text)) and _counts(text)[0] == _counts(text)[1],
            "You compare a with b and never ask the c's: try 'aabbc'. And n is at least 1.",
        ),
        *mistakes("""
            the last third
                n > 0 and text == "a" * n + "b" * n + "c" * n => text.startswith("a" * n + "b" * n)
                You check the first two thirds, but not the last: what if b stands there? And the
                empty text does not belong.
        """),
        Misconception(
            "b not counted",
            lambda text: text.count("a") == text.count("c"),
            "You set a's against c's, in any order, and never count the b's: try 'cba'.",
        ),
        Misconception(
            "yes",
            lambda text: True,
            "You accept everything, 'cba' too.",
        ),
        Misconception(
            "no",
            lambda text: False,
            "You refuse everything, 'abc' too.",
        ),
    ),
)
