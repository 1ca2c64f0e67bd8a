"""Lecture 05: recognise a^n b^n c^n, say what may follow in brackets, how far few bits count."""

from __future__ import annotations

import re

# ── 5.1 a^n b^n c^n ───────────────────────────────────────────────────────────────────────────────


def counts_alone(text):
    return text.count("a") == text.count("b") == text.count("c")


def counts_and_one(text):
    return text.count("a") == text.count("b") == text.count("c") >= 1


def order_alone(text):
    return list(text) == sorted(text)


def order_and_all(text):
    return bool(re.fullmatch("a+b+c+", text))


def empty_too(text):
    n = len(text) // 3
    return text == "a" * n + "b" * n + "c" * n


def first_two(text):
    a, b, c = map(text.count, "abc")
    return a == b and a > 0 and text == "a" * a + "b" * b + "c" * c


def last_two(text):
    a, b, c = map(text.count, "abc")
    return b == c and a > 0 and text == "a" * a + "b" * b + "c" * c


def first_and_last(text):
    a, b, c = map(text.count, "abc")
    return a == c and a > 0 and text == "a" * a + "b" * b + "c" * c


def divisible(text):
    return len(text) % 3 == 0 and len(text) > 0


def divisible_in_order(text):
    return len(text) % 3 == 0 and bool(re.fullmatch("a+b+c+", text))


def repeated(text):
    return text == "abc" * (len(text) // 3) and len(text) > 0


def two_letters(text):
    n = text.count("a")
    return n > 0 and text == "a" * n + "b" * n


def at_least(text):
    a, b, c = map(text.count, "abc")
    return a <= b <= c and a > 0 and text == "a" * a + "b" * b + "c" * c


def always(text):
    return True


def never(text):
    return False


# ── 5.6 brackets: what may come next ──────────────────────────────────────────────────────────────


def depth_of(text):
    return text.count("(") - text.count(")")


def fell(text):
    return any(depth_of(text[:t]) < 0 for t in range(len(text) + 1))


def closing_always(text):
    return set() if fell(text) else {"(", ")"} | ({"⊣"} if depth_of(text) == 0 else set())


def end_always(text):
    return set() if fell(text) else {"(", "⊣"} | ({")"} if depth_of(text) else set())


def no_opening_inside(text):
    return set() if fell(text) else {")"} if depth_of(text) else {"(", "⊣"}


def only_one(text):
    return set() if fell(text) else {"(", ")"} if depth_of(text) else {"⊣"}


def no_end_at_start(text):
    if fell(text):
        return set()
    return {"("} if not text else {"(", ")"} if depth_of(text) else {"(", "⊣"}


def forgives(text):
    return {"(", ")"} if depth_of(text) > 0 else {"(", "⊣"}


def forgives_below_zero(text):
    return {"(", "⊣"} if depth_of(text) == 0 else {"(", ")"}


def broken_only_at_the_end(text):
    return set() if depth_of(text) < 0 else {"(", ")"} if depth_of(text) else {"(", "⊣"}


def broken_may_open(text):
    return {"("} if fell(text) else {"(", ")"} if depth_of(text) else {"(", "⊣"}


def last_letter(text):
    return {"(", ")"} if text.endswith("(") else {"(", "⊣"}


def no_end(text):
    return set() if fell(text) else {"(", ")"} if depth_of(text) else {"("}


# ── 5.5 the last n ────────────────────────────────────────────────────────────────────────────────


def hidden_bit_forgotten(stored):
    return 2**stored


def all_ones(stored):
    return 2 ** (stored + 1) - 1


def one_more(stored):
    return 2 ** (stored + 1) + 1


def one_bit_too_many(stored):
    return 2 ** (stored + 2)


def half(stored):
    return 2 ** (stored + 1) // 2


def stored_all_ones(stored):
    return 2**stored - 1


def bits_themselves(stored):
    return stored + 1


def square(stored):
    return (stored + 1) ** 2


def epsilon(stored):
    return 2.0**-stored


def decimal(stored):
    return 10 ** (stored + 1)


# ── of a second reader ────────────────────────────────────────────────────────────────────────────


def two_thirds(text):
    n = len(text) // 3
    return text[:n] == "a" * n and text[n : 2 * n] == "b" * n


def b_not_counted(text):
    count = 0
    for letter in text:
        count += {"a": 1, "b": 0, "c": -1}[letter]
    return count == 0


def a_against_b_in_order(text):
    return sum({"a": 1, "b": -1, "c": 0}[x] for x in text) == 0 and "".join(sorted(text)) == text


def closed_is_over(text):
    depth = text.count("(") - text.count(")")
    return {"⊣"} if depth == 0 else {"(", ")"}


def never_broken(text):
    depth = text.count("(") - text.count(")")
    may = {"("}
    if depth > 0:
        may.add(")")
    if depth == 0:
        may.add("⊣")
    return may


def last_letter_and_end(text):
    if not text:
        return {"("}
    return {"(", ")"} if text[-1] == "(" else {"(", ")", "⊣"}


def twice_the_bits(stored):
    return 2 * (stored + 1)


def one_bit_less_than_stored(stored):
    return 2 ** (stored - 1)


def all_ones_of_one_more(stored):
    return 2 ** (stored + 2) - 1


def whole_decimal(stored):
    return 10**stored


WRONG = {
    "5.1": [
        two_thirds, b_not_counted, a_against_b_in_order,
        counts_alone, counts_and_one, order_alone, order_and_all, empty_too, first_two, last_two,
        first_and_last, divisible, divisible_in_order, repeated, two_letters, at_least, always,
        never,
    ],
    "5.6": [
        closed_is_over, never_broken, last_letter_and_end,
        closing_always, end_always, no_opening_inside, only_one, no_end_at_start, forgives,
        forgives_below_zero, broken_only_at_the_end, broken_may_open, last_letter, no_end,
    ],
    "5.5": [
        twice_the_bits, one_bit_less_than_stored, all_ones_of_one_more, whole_decimal,
        hidden_bit_forgotten, all_ones, one_more, one_bit_too_many, half, stored_all_ones,
        bits_themselves, square, epsilon, decimal,
    ],
}  # fmt: skip
