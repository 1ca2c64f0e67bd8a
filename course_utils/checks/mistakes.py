"""Mistakes as text: a name, what somebody writes instead of the reference, what to tell them."""

from __future__ import annotations

import textwrap

from course_utils.checks.change import Change
from course_utils.checks.exercise import Misconception


def mistakes(text: str) -> tuple[Misconception, ...]:
    """Return the mistakes in a text: each is a name, and below it, indented, two things.

    First what is changed, `old => new` (`&&` at its end goes on to a further change), then what to
    tell whoever answers so, on as many lines as it takes.
    """
    return tuple(_mistake(name, lines) for name, lines in _blocks(text))


def _blocks(text: str) -> list[tuple[str, list[str]]]:
    """Return each name and the lines below it."""
    blocks: list[tuple[str, list[str]]] = []
    for line in filter(str.strip, textwrap.dedent(text).splitlines()):
        if not line.startswith(" "):
            blocks.append((line, []))
        else:
            blocks[-1][1].append(line.strip())
    return blocks


def _mistake(name: str, lines: list[str]) -> Misconception:
    """Return one mistake; refuse lines that do not say what is changed, or nothing to tell."""
    changes: list[str] = []
    while lines and "=>" in lines[0] and (not changes or changes[-1].endswith("&&")):
        changes.append(lines.pop(0))
    pairs = [change.removesuffix("&&").split("=>") for change in changes]
    is_whole = bool(changes) and not changes[-1].endswith("&&")
    if not lines or not is_whole or any(len(pair) != 2 for pair in pairs):
        raise ValueError(f'"{name}" needs a line "old => new", and below it what to tell')
    (old, new), *more = ((old.strip(), new.strip()) for old, new in pairs)
    return Misconception(name, Change(old, new, dict(more)), " ".join(lines))
