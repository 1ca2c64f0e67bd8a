"""Lecture 06: what the evidence allows."""

from __future__ import annotations


def _said(choices):
    return lambda: dict(zip("ABCDEF", choices.split(), strict=True))


WRONG = {
    "6.7": [
        _said("open open open open open open"),
        _said("shown shown refuted refuted open open"),
        _said("shown refuted shown refuted open open"),
        _said("shown refuted refuted shown open open"),
        _said("shown refuted refuted refuted shown open"),
        _said("shown refuted refuted refuted open shown"),
    ]
}

RIGHT = {
    "6.7": [
        _said("shown refuted refuted refuted open open"),
        _said("SHOWN Refuted refuted refuted OPEN open"),
    ]
}
