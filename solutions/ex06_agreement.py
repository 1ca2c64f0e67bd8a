"""Solutions of lecture 06."""

from __future__ import annotations

import torch


def minimal_pairs(subject, attractor, verb):
    pairs = {}
    for condition in ("SS", "SP", "PS", "PP"):
        a, b = ("SP".index(number) for number in condition)
        beginning = f"the {subject[a]} near the {attractor[b]}"
        pairs[condition] = (beginning, verb[a], verb[1 - a])  # the subject decides
    return pairs


def find_leaks(train, test, base):
    seen = {(base[subject], base[verb]) for subject, verb in train}
    return [n for n, (subject, verb) in enumerate(test) if (base[subject], base[verb]) in seen]


def same_bag(words, number):
    words = list(words)
    words[1], words[4] = words[4], words[1]
    return words, "P" if number == "S" else "S"


def accuracy_by_condition(conditions, margins):
    rights = {}
    for condition, margin in zip(conditions, margins.tolist(), strict=True):
        right = 1 if margin > 0 else 0.5 if margin == 0 else 0  # a tie is a coin
        rights.setdefault(condition, []).append(right)
    return {condition: sum(found) / len(found) for condition, found in rights.items()}


def drop_with_control(choose, report):
    unit = int(choose.argmax())  # looking at one set of items ...
    others = [drop for n, drop in enumerate(report.tolist()) if n != unit]
    middle = sorted(others)[len(others) // 2]
    return {"unit": unit, "drop": report[unit], "others": middle}  # ... speaking of another


def push_to_plural(h, W, singular, plural, unit):
    return h[unit] * (W[plural, unit] - W[singular, unit]).mean()


def what_the_evidence_allows():
    return {
        "A": "shown",
        "B": "refuted",  # the wide network has none
        "C": "refuted",  # what is known twice can be lost once
        "D": "refuted",  # the Elman network does
        "E": "open",  # nobody looked
        "F": "open",  # nobody asked
    }


def without_unit(x, W, U, b, unit):
    h = torch.zeros(len(U), dtype=x.dtype)
    for x_t in x:
        h = torch.tanh(W @ x_t + U @ h + b)
        h[unit] = 0  # after every step: the next one reads the silence
    return h


def patched(x, other, W, U, b, unit, since):
    h, given = torch.zeros(2, len(U), dtype=x.dtype)
    for t, (x_t, other_t) in enumerate(zip(x, other, strict=True)):
        h = torch.tanh(W @ x_t + U @ h + b)
        given = torch.tanh(W @ other_t + U @ given + b)
        if t >= since:
            h[unit] = given[unit]
    return h
