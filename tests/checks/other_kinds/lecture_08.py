"""Lecture 08: what the curve allows."""

from __future__ import annotations


def _said(choices):
    return lambda: dict(zip("ABCDE", choices.split(), strict=True))


WRONG = {
    "8.5": [
        _said("open open open open open"),
        _said("shown shown refuted open open"),
        _said("shown refuted refuted open open"),
        _said("shown open shown open open"),
        _said("shown open refuted shown open"),
        _said("shown open refuted open shown"),
        _said("refuted open refuted open open"),
    ]
}

RIGHT = {
    "8.5": [_said("shown open refuted open open"), _said("Shown OPEN refuted open open")],
}
