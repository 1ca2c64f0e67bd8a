"""Exercise 5.2: choose texts that no cheat survives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from course_utils.checks.exercise import Exercise

MOST_TEXTS, GIVES_UP = 10, 20


CHEATS: dict[str, Callable[[str], bool]] = {
    "says yes to everything": lambda text: True,
    "says no to everything": lambda text: False,
    "accepts any a...ab...b": lambda text: _runs(text) is not None,
    "counts, but not in order": lambda text: text.count("a") == text.count("b") > 0,
    "asks whether the length is even": lambda text: _in_order(text, lambda a, b: not (a + b) % 2),
    "never sees a b too few": lambda text: _in_order(text, lambda a, b: b <= a),
    "never sees a b too many": lambda text: _in_order(text, lambda a, b: b >= a),
    "is off by one": lambda text: _in_order(text, lambda a, b: abs(a - b) <= 1),
    "stops at 20": lambda text: _in_order(text, lambda a, b: a == b < GIVES_UP),
    "counts to 20, then says yes": lambda text: _in_order(
        text, lambda a, b: min(a, GIVES_UP) == min(b, GIVES_UP)
    ),
}


def texts_that_test() -> set[str]:
    """Return at most ten texts that tell a^n b^n from every cheat."""
    n = 30
    swapped = "a" * (n - 1) + "ba" + "b" * (n - 1)
    return {"ab", swapped, *("a" * n + "b" * m for m in (n, n - 1, n + 1, n + 2))}


def _belongs(text: str) -> bool:
    n = len(text) // 2
    return n > 0 and text == "a" * n + "b" * n


def _runs(text: str) -> tuple[int, int] | None:
    match = re.fullmatch("(a+)(b+)", text)
    return (len(match[1]), len(match[2])) if match else None


def _in_order(text: str, accept: Callable[[int, int], bool]) -> bool:
    runs = _runs(text)
    return runs is not None and accept(*runs)


def _which_cheat_passes(texts: Iterable[str]) -> str:
    """Return the first cheat that a set of texts does not catch, or what is wrong with the set."""
    texts = list(texts)
    if not texts:
        return "empty"
    if not all(isinstance(text, str) for text in texts) or set("".join(texts)) - set("ab"):
        return "other letters"
    if len(texts) > MOST_TEXTS:
        return "too many"
    for name, cheat in CHEATS.items():
        if all(cheat(text) == _belongs(text) for text in texts):
            return name
    return "all are caught"


EXERCISE = Exercise(
    number="5.2",
    task="choose texts that no cheat survives",
    kind="design",
    reference=texts_that_test,
    gives="a set or list of at most ten strings of a and b",
    cases=lambda: [()],
    effect=_which_cheat_passes,
    reasons={
        "empty": "Your list is empty: every cheat passes.",
        "other letters": "Some of what you give is not a text of a and b.",
        "too many": "That is more than ten texts. Choose: each should catch a cheat.",
        "says yes to everything": "A cheat that says yes to everything passes: all of your texts "
        "belong to the language.",
        "says no to everything": "A cheat that says no to everything passes: none of your texts "
        "belongs to the language.",
        "accepts any a...ab...b": "A cheat that accepts any a's before any b's passes: add a near "
        "miss that is in order.",
        "counts, but not in order": "A cheat that counts letters in any order passes: add a text "
        "with as many a's as b's in a wrong order.",
        "asks whether the length is even": "A cheat that asks for order and an even length passes: "
        "add a text in order, off by two.",
        "never sees a b too few": "A cheat that never misses a b passes: add a text with one b too "
        "few.",
        "never sees a b too many": "A cheat that never minds a b too many passes: add such a text.",
        "is off by one": "A cheat that allows one letter more or less passes: add a text that is "
        "off by one.",
        "stops at 20": "A cheat that gives up at n = 20 passes: add a longer member.",
        "counts to 20, then says yes": "A cheat that counts to 20 and then says yes passes: add a "
        "longer near miss.",
    },
    hints=(
        "Think of cheap ways to be right: always yes, always no, only the order, only the counts, "
        "only short texts. Each needs a text that it gets wrong.",
        "You need a short member and a long one, one b too few and one too many on long texts, and "
        "the right counts in a wrong order.",
        "With n = 30: ab, a^n with n, n - 1, n + 1 and n + 2 times b, and a^n b^n with the two "
        "letters in the middle swapped.",
    ),
    misconceptions=(),
)
