"""Lecture 05: recognisers, a counter set by hand, counts in few bits, evidence, texts that test."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable

from course_utils.checks.exercise import Exercise, Misconception

END = "⊣"
FAR = 1000  # how far a counter set by hand must count


def is_member(text: str) -> bool:
    """Return whether a text is a^n b^n c^n with n at least 1."""
    n = len(text) // 3
    return n > 0 and text == "a" * n + "b" * n + "c" * n


def may_follow(text: str) -> set[str]:
    """Return what may come next after the beginning of a balanced text of ( and )."""
    if _fell_below(text):
        return set()
    return {"(", ")"} if _depth(text) else {"(", END}


def counter_gates() -> dict[str, float]:
    """Return what goes into the gates of one cell that counts a^n b^n."""
    return {"f": 40.0, "i": 40.0, "g_a": 20.0, "g_b": -20.0}


def last_n(stored: int) -> int:
    """Return up to which n a cell counts a^n b^n by ones, from the bits stored of its mantissa."""
    return 2 ** (stored + 1)


def what_is_shown() -> dict[str, str]:
    """Return what the table says of each statement."""
    return {"A": "refuted", "B": "open", "C": "shown", "D": "open", "E": "shown", "F": "refuted"}


def texts_that_test() -> set[str]:
    """Return at most ten texts that tell a^n b^n from every cheat."""
    n = 30
    swapped = "a" * (n - 1) + "ba" + "b" * (n - 1)
    return {"ab", swapped, *("a" * n + "b" * m for m in (n, n - 1, n + 1, n + 2))}


def _depth(text: str) -> int:
    return text.count("(") - text.count(")")


def _fell_below(text: str) -> bool:
    return any(_depth(text[:t]) < 0 for t in range(len(text) + 1))


# ── 5.1 ───────────────────────────────────────────────────────────────────────────────────────────


def _counts(text: str) -> list[int]:
    return [text.count(letter) for letter in "abc"]


def _ordered(text: str, same: Callable[[int, int, int], bool]) -> bool:
    a, b, c = _counts(text)
    return min(a, b, c) > 0 and text == "a" * a + "b" * b + "c" * c and same(a, b, c)


TEXTS = (
    "abc", "", "aabbcc", "aabbc", "abbcc", "aabcc", "abcabc", "cba", "ab", "aaabbbccc", "acb",
    "aabbbcccc", "aaaabbbbcccc", "abcc", "aaabbc", "bbcc", "aabb", "abbccc",
)  # fmt: skip


# ── 5.6 ───────────────────────────────────────────────────────────────────────────────────────────

BEGINNINGS = ("(", "", "()", "((", "(()", "(())", "())", ")", "())(", ")(", "()(()", "()()")


def _broken_now_only(text: str) -> set[str]:
    """Forget a ) too many as soon as the depth is right again."""
    return set() if _depth(text) < 0 else {"(", ")"} if _depth(text) else {"(", END}


# ── 5.3 ───────────────────────────────────────────────────────────────────────────────────────────


def _what_the_cell_does(gates: dict) -> str:
    """Return what a cell with these pre-activations does: `counts`, or its first fault."""
    f_in, i_in, a_in, b_in = (float(gates[name]) for name in ("f", "i", "g_a", "g_b"))
    if not all(map(math.isfinite, (f_in, i_in, a_in, b_in))):
        return "no numbers"
    f, i = _sigmoid(f_in), _sigmoid(i_in)
    up, down = i * math.tanh(a_in), i * math.tanh(b_in)
    if max(abs(up), abs(down)) < 0.01:
        return "writes nothing"
    if up * down > 0:
        return "one way"
    if down == 0 or abs(down) < 0.01 * abs(up):
        return "never down"
    if abs(up) < 0.01 * abs(down):
        return "never up"
    if up < 0:
        return "turned round"
    if f**FAR < 0.999:
        return "forgets"
    if FAR * abs(up + down) > 0.25 * abs(down):
        return "unequal steps"
    return "counts"


def _sigmoid(a: float) -> float:
    return 1 / (1 + math.exp(-a)) if a > -700 else 0.0


# ── 5.2 ───────────────────────────────────────────────────────────────────────────────────────────


def _belongs(text: str) -> bool:
    n = len(text) // 2
    return n > 0 and text == "a" * n + "b" * n


def _runs(text: str) -> tuple[int, int] | None:
    match = re.fullmatch("(a+)(b+)", text)
    return (len(match[1]), len(match[2])) if match else None


def _in_order(text: str, accept: Callable[[int, int], bool]) -> bool:
    runs = _runs(text)
    return runs is not None and accept(*runs)


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


EXERCISES = (
    Exercise(
        number="5.1",
        task="recognise a^n b^n c^n",
        reference=is_member,
        takes="text: a string of the letters a, b and c",
        gives="True or False",
        example=("aabbcc",),
        cases=lambda: [(text,) for text in TEXTS],
        misconceptions=(
            Misconception(
                "counts without order, empty too",
                lambda text: len({*_counts(text)}) == 1,
                "You count, but any order will do for you, and no letters at all: try 'abcabc' "
                "and ''.",
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
            Misconception(
                "the empty text",
                lambda text: is_member(text) or not text,
                "n is at least 1: the empty text does not belong.",
            ),
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
                lambda text: len(text) % 3 == 0 and len(text) > 0,
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
                _belongs,
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
            Misconception(
                "the last third",
                lambda text: text.startswith("a" * (len(text) // 3) + "b" * (len(text) // 3)),
                "The first two thirds you look at, the last one not: what if b stands there? And "
                "the empty text does not belong.",
            ),
            Misconception(
                "b not counted",
                lambda text: text.count("a") == text.count("c"),
                "You set a's against c's, in any order, and never count the b's: try 'cba'.",
            ),
            Misconception("yes", lambda text: True, "You accept everything, 'cba' too."),
            Misconception("no", lambda text: False, "You refuse everything, 'abc' too."),
        ),
        hints=(
            "Only one text of each length can belong. Which one?",
            "n is a third of the length. Build the only text that belongs, and compare.",
            "n = len(text) // 3; return n > 0 and text == 'a' * n + 'b' * n + 'c' * n",
        ),
    ),
    Exercise(
        number="5.2",
        task="choose texts that no cheat survives",
        kind="design",
        gives="a set or list of at most ten strings of a and b",
        reference=texts_that_test,
        cases=lambda: [()],
        effect=_which_cheat_passes,
        misconceptions=(),
        reasons={
            "empty": "Your list is empty: everybody passes.",
            "other letters": "There is something in it that is no text of a and b.",
            "too many": "More than ten texts. Choose: each should catch somebody.",
            "says yes to everything": "Whoever says yes to everything passes: all of your texts "
            "belong to the language.",
            "says no to everything": "Whoever says no to everything passes: none of your texts "
            "belongs to the language.",
            "accepts any a...ab...b": "Whoever accepts any a's before any b's passes: add a near "
            "miss that is in order.",
            "counts, but not in order": "Whoever counts letters in any order passes: add a text "
            "with as many a as b in a wrong order.",
            "asks whether the length is even": "Whoever asks for order and an even length passes: "
            "add a text in order, off by two.",
            "never sees a b too few": "Whoever is content with too few b's passes: add one.",
            "never sees a b too many": "Whoever is content with too many b's passes: add one.",
            "is off by one": "Whoever is content with one letter more or less passes.",
            "stops at 20": "Whoever gives up at n = 20 passes: add a longer member.",
            "counts to 20, then says yes": "Whoever counts to 20 and then says yes passes: add a "
            "longer near miss.",
        },
        hints=(
            "Think of cheap ways to be right: always yes, always no, only the order, only the "
            "counts, only short texts. Each needs a text that it gets wrong.",
            "You need a short member and a long one, one b too few and one too many on long texts, "
            "and the right counts in a wrong order.",
            "With n = 30: ab, a^n with n, n - 1, n + 1 and n + 2 times b, and a^n b^n with the two "
            "letters in the middle exchanged.",
        ),
    ),
    Exercise(
        number="5.3",
        task="set one cell so that it counts",
        kind="set",
        gives='a dict such as {"f": 1.0, "i": 1.0, "g_a": 1.0, "g_b": 1.0}: what goes into each',
        reference=counter_gates,
        cases=lambda: [()],
        effect=_what_the_cell_does,
        misconceptions=(),
        reasons={
            "no numbers": "There is infinity or NaN in it: a weight is a number.",
            "writes nothing": "Nothing is ever written: i times g is near 0 at both letters. Look "
            "at the input gate, then at the candidates.",
            "one way": "Both letters move the cell the same way. One must take off what the other "
            "adds.",
            "never down": "At b nothing happens, so the cell never comes back to 0.",
            "never up": "At a nothing happens, so there is nothing to take off.",
            "turned round": "This cell counts, downwards: asked for was one that rises at a.",
            "forgets": "It forgets: of a count of 1,000 steps too much is gone. f is "
            "sigmoid of what you set: how near to 1 must it be, to the power of 1,000?",
            "unequal steps": "One b takes off another amount than one a adds. Over 1,000 letters "
            "the difference becomes more than a quarter of a step.",
        },
        hints=(
            "c = f c + i g. What must f be so that nothing is lost, and g so that b undoes a?",
            "f is sigmoid(f_in): at 8 it is 0.9997, and 0.9997^1000 is 0.72. The same candidate "
            "with two signs takes off exactly what it adds.",
            'Such as {"f": 40, "i": 40, "g_a": 20, "g_b": -20}.',
        ),
    ),
    Exercise(
        number="5.4",
        task="judge what a table of three networks shows",
        kind="judge",
        gives='a dict such as {"A": "open", ...}, one choice for each of A to F',
        reference=what_is_shown,
        cases=lambda: [()],
        choices=("shown", "refuted", "open"),
        misconceptions=(),
        reasons={
            ("A", "shown"): "A: Q accepts 431 texts that do not belong. A recogniser must say no.",
            ("A", "open"): "A: one wrong text that is accepted would be enough, and there are 431.",
            (
                "B",
                "shown",
            ): "B: nobody asked R for a near miss. It may say yes to everything.",
            ("B", "refuted"): "B: nothing in R's row went wrong. It is not known, not false.",
            ("C", "open"): "C: the sentence speaks of the 600 texts alone, and all were asked.",
            ("C", "refuted"): "C: look at the row of P again: 100 of 100 and 0 of 500.",
            ("D", "shown"): "D: no text above n = 100 was asked for. Counters drift.",
            ("D", "refuted"): "D: no text above n = 100 was asked for, so none was wrong either.",
            ("E", "refuted"): "E: whoever always says yes accepts every member: 100 of 100.",
            ("E", "open"): "E: no experiment is needed: whoever always says yes accepts all 100.",
            ("F", "shown"): "F: 100 times 0.5 is 50, and no cell of R is larger than 1.",
            ("F", "open"): "F: a cell that adds 0.5 a letter would stand at 50 after a^100.",
        },
        hints=(
            "Who accepts members does one half of the work. What is the other half, and for whom "
            "was it asked?",
            "Look at the words: 'the 600 texts', 'recognises', 'n = 1,000'. Which numbers of the "
            "table speak of each?",
            "Two each: two are shown, two refuted, two open.",
        ),
    ),
    Exercise(
        number="5.5",
        task="predict the last n of a counter, from the bits of its format",
        kind="derive",
        takes="stored: how many bits of the mantissa a format stores, a whole number",
        gives="the largest n, a whole number",
        reference=last_n,
        example=(3,),
        cases=lambda: [(2,), (3,), (7,), (10,), (23,)],
        misconceptions=(
            Misconception(
                "the hidden bit",
                lambda stored: 2**stored,
                "You forgot the leading 1, which is not stored: one more significant bit.",
            ),
            Misconception(
                "the largest mantissa",
                lambda stored: 2 ** (stored + 1) - 1,
                "Up to there all bits are ones. The next number, a power of two, is exact as "
                "well; after that one the steps are 2.",
            ),
            Misconception(
                "the first that fails",
                lambda stored: 2 ** (stored + 1) + 1,
                "That is the first whole number that is missing, so the first n that fails.",
            ),
            Misconception(
                "one bit too many",
                lambda stored: 2 ** (stored + 2),
                "One bit too many: with the leading 1 there are stored + 1 of them. The sign is "
                "kept apart.",
            ),
            Misconception(
                "the largest of the stored bits",
                lambda stored: 2**stored - 1,
                "You forgot the leading 1, which is not stored, and the power of two that follows "
                "the largest mantissa.",
            ),
            Misconception(
                "the bits themselves",
                lambda stored: stored + 1,
                "These are the significant bits. How many whole numbers do they tell apart?",
            ),
            Misconception(
                "half of the leading 1",
                lambda stored: 2 ** (stored - 1),
                "Two bits too few: the sign is kept apart, and the leading 1 comes on top of the "
                "bits that are stored.",
            ),
            Misconception(
                "the largest mantissa of one bit more",
                lambda stored: 2 ** (stored + 2) - 1,
                "One bit too many, and the power of two that follows is exact as well.",
            ),
            Misconception(
                "twice the bits",
                lambda stored: 2 * (stored + 1),
                "Every further bit doubles what can be told apart: 2 to the power of the bits.",
            ),
            Misconception(
                "decimal digits",
                lambda stored: 10.0**stored,
                "The format stores binary digits: powers of 2, not of 10.",
            ),
            Misconception(
                "a square",
                lambda stored: (stored + 1) ** 2,
                "Every further bit doubles the range: a power of 2, not a square.",
            ),
            Misconception(
                "the spacing at 1",
                lambda stored: 2.0**-stored,
                "That is the spacing of the numbers beside 1. Where does it become larger than "
                "the step of the counter?",
            ),
        ),
        hints=(
            "Write down all numbers with 3 significant bits: 1, 1.25, 1.5, 1.75, 2, 2.5 ... Which "
            "whole number is the first that is missing?",
            "With p significant bits neighbours are 1 apart up to 2^p, and 2 apart above. What is "
            "2^p + 1 rounded to?",
            "p = stored + 1, because the leading 1 is not stored: 2 ** (stored + 1).",
        ),
        gradients=False,
    ),
    Exercise(
        number="5.6",
        task="say which bracket may come next, and whether the text may end",
        reference=may_follow,
        takes="text: a string of ( and ), the beginning of a text",
        gives="a set with some of '(', ')' and '⊣', or an empty one",
        example=("(",),
        cases=lambda: [
            (text,)
            for text in (
                "(",
                "",
                "()",
                "((",
                "(()",
                "(())",
                "())",
                ")",
                "())(",
                ")(",
                "()(()",
                "()()",
            )
        ],
        misconceptions=(
            Misconception(
                "what is broken goes on",
                lambda text: (
                    {"("}
                    | ({")"} if _depth(text) > 0 else set())
                    | (set() if _depth(text) else {END})
                ),
                "A ) too many cannot be made good: after '())' the set is empty, whatever follows.",
            ),
            Misconception(
                "closed means over, broken goes on",
                lambda text: {"(", ")"} if _depth(text) else {END},
                "When all is closed the text may go on with a new (, and after a ) too many "
                "nothing may follow.",
            ),
            Misconception(
                "the last letter alone",
                lambda text: (
                    {"("} if not text else {"(", ")"} | ({END} if text[-1] == ")" else set())
                ),
                "You look at the last letter. How many brackets are still open decides.",
            ),
            Misconception(
                ") always",
                lambda text: may_follow(text) | ({")"} if may_follow(text) else set()),
                "You let ) follow even where nothing is open.",
            ),
            Misconception(
                "the end always",
                lambda text: may_follow(text) | ({END} if may_follow(text) else set()),
                "You let the text end while a bracket is still open.",
            ),
            Misconception(
                "no ( inside",
                lambda text: may_follow(text) - ({"("} if _depth(text) else set()),
                "Inside a bracket another one may open.",
            ),
            Misconception(
                "closed means over",
                lambda text: may_follow(text) - (set() if _depth(text) else {"("}),
                "When all is closed the text may end, and it may go on with a new (.",
            ),
            Misconception(
                "no end at the start",
                lambda text: may_follow(text) - (set() if text else {END}),
                "The empty text is balanced: at the start the end may come at once.",
            ),
            Misconception(
                "no end",
                lambda text: may_follow(text) - {END},
                "You never let the text end. Where all is closed, it may.",
            ),
            Misconception(
                "a ) too many is forgotten",
                lambda text: {"(", ")"} if _depth(text) > 0 else {"(", END},
                "A ) that closes nothing cannot be made good: after ')' nothing may follow.",
            ),
            Misconception(
                "below zero is another depth",
                lambda text: {"(", ")"} if _depth(text) else {"(", END},
                "A depth below 0 is no depth: after ')' nothing may follow, whatever comes then.",
            ),
            Misconception(
                "broken only while below zero",
                lambda text: (
                    set() if _depth(text) < 0 else {"(", ")"} if _depth(text) else {"(", END}
                ),
                "You look at the depth at the end alone: ')(' ends at 0, and was lost after ')'.",
            ),
            Misconception(
                "broken may open",
                lambda text: may_follow(text) or {"("},
                "After a ) that closes nothing not even ( may follow: the text is lost.",
            ),
            Misconception(
                "the last letter decides",
                lambda text: {"(", ")"} if text.endswith("(") else {"(", END},
                "You look at the last bracket alone. How many are open? '(()' has one left.",
            ),
        ),
        hints=(
            "Which number decides? How does each bracket change it?",
            "Walk through the text with a depth. If it ever falls below 0, nothing may follow.",
            "At depth 0 the answer is {'(', '⊣'}, above it {'(', ')'}.",
        ),
    ),
)
