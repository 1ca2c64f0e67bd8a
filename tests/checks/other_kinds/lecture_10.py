"""Lecture 10: a control task, and which comparison is fair."""

from __future__ import annotations

from collections import defaultdict
from itertools import count


def _said(choices):
    return lambda: dict(zip("ABCDE", choices.split(), strict=True))


def _by_default(words, drawn):
    number = count()
    label = defaultdict(lambda: drawn[next(number)])
    return [label[word] for word in words]


def _by_order(words, drawn):
    kinds = list(dict.fromkeys(words))
    return tuple(drawn[kinds.index(word)] for word in words)


WRONG = {
    "10.3": [
        _said("fair fair fair fair fair"),
        _said("unfair unfair unfair unfair unfair"),
        _said("fair unfair fair unfair unfair"),
        _said("unfair fair fair unfair unfair"),
        _said("unfair unfair fair fair unfair"),
        _said("unfair unfair fair unfair fair"),
    ]
}

RIGHT = {
    "10.4": [_by_default, _by_order],
    "10.3": [
        _said("unfair unfair fair unfair unfair"),
        _said("Unfair UNFAIR Fair unfair unfair"),
    ],
}
