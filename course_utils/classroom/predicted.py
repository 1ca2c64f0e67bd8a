"""What a class wrote down before each experiment, counted, beside what came out."""

from __future__ import annotations

import ast
import itertools
import math
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from course_utils.checks.guesses import LONGEST
from course_utils.checks.predictions import option_in
from course_utils.classroom.cells import Cell, kind_of, text_of
from course_utils.classroom.marks import Marks
from course_utils.numbers import first_number, number, read_number

MOST_GROUPS = 10
FEW = 6  # different numbers that are listed one by one
WIDE = 100  # times the smallest: from there on, powers of ten are the groups


class Group(NamedTuple):
    """Guesses that say the same."""

    label: str
    students: int
    came_out: bool = False


class Tally(NamedTuple):
    """One prediction of a lecture: what was asked, what was written, what came out."""

    name: str
    question: str
    guesses: int
    groups: list[Group]
    result: str  # that most notebooks show; empty where none shows one
    showing: int  # notebooks that show this very result
    results: int  # notebooks that show any


class _Asked(NamedTuple):
    name: str
    question: str
    kind: str  # choice, number or words
    options: tuple[str, ...]  # where they are written down in the call itself


def tallies(cells: Sequence[Cell], rows: Sequence[Marks]) -> list[Tally]:
    """Return a tally for each prediction that a lecture asks and somebody met."""
    versions = [one.version for one in rows if one.version]
    found = []
    for asked in _asked_in(cells):
        guesses = _texts(asked.name, [version.predictions for version in versions])
        results = _texts(asked.name, [version.results for version in versions])
        if guesses or results:
            (result, showing), *_ = [*Counter(results).most_common(1), ("", 0)]
            groups = _groups(asked, guesses, result)
            found.append(Tally(*asked[:2], len(guesses), groups, result, showing, len(results)))
    return found


def _texts(name: str, written: Sequence[Mapping[str, str]]) -> list[str]:
    said = [" ".join(texts.get(name, "")[:LONGEST].split()) for texts in written]
    return [text for text in said if text]


def _asked_in(cells: Sequence[Cell]) -> Iterator[_Asked]:
    """Yield the predictions that the code of a lecture asks for, in its order."""
    for cell in cells:
        code = text_of(cell) if kind_of(cell) == "code" else ""
        for node in ast.walk(ast.parse(code)) if "predict(" in code else ():
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "predict":
                yield _asked(node)


def _asked(call: ast.Call) -> _Asked:
    name, question, *more = call.args
    named = {str(keyword.arg): keyword.value for keyword in call.keywords}
    options = more[0] if more else named.get("options")
    kind = "choice" if options else "words" if "words" in named else "number"
    try:
        listed = tuple(map(str, ast.literal_eval(options))) if options else ()
    except ValueError:  # names of the lecture's: the guesses themselves say which there are
        listed = ()
    unit = f" ({ast.literal_eval(named['unit'])})" if "unit" in named else ""
    return _Asked(ast.literal_eval(name), ast.literal_eval(question) + unit, kind, listed)


def _groups(asked: _Asked, guesses: Sequence[str], result: str) -> list[Group]:
    if asked.kind == "number":
        return _by_size(guesses, first_number(result))
    return _by_words(guesses, asked.options, result)


def _by_words(guesses: Sequence[str], options: Sequence[str], result: str = "") -> list[Group]:
    """Return the same words as one group, an offered choice also where nobody took it."""
    counts = Counter(dict.fromkeys(options, 0))
    known = {option.casefold(): option for option in options}
    for guess in guesses:
        counts[known.setdefault(guess.casefold(), guess)] += 1
    right = option_in(result, list(counts))
    ordered = sorted(counts.items(), key=lambda pair: -pair[1])
    first = [Group(text, count, text == right) for text, count in ordered[:MOST_GROUPS]]
    rest = sum(count for _, count in ordered[MOST_GROUPS:])
    return [*first, Group("something else", rest)] if rest else first


def _by_size(guesses: Sequence[str], came_out: float | None) -> list[Group]:
    """Return numbers from the smallest to the largest, and then what is no number."""
    read = [(guess, read_number(guess)) for guess in guesses]
    values = sorted(value for _, value in read if value is not None)
    others = _by_words([guess for guess, value in read if value is None], ())
    if len({*values}) <= FEW:
        numbers = [
            Group(number(value, 3), count, value == came_out)
            for value, count in sorted(Counter(values).items())
        ]
    else:
        numbers = _between(values, came_out)
    return [*numbers, *others]


def _between(values: Sequence[float], came_out: float | None) -> list[Group]:
    """Return counts of many different numbers, by powers of ten or in steps of one size."""
    edges = _powers(values) if values[0] > 0 and values[-1] >= WIDE * values[0] else _steps(values)
    groups = []
    for low, high in itertools.pairwise(edges):
        count = sum(low <= value < high for value in values)
        here = came_out is not None and low <= came_out < high
        if count or here:
            groups.append(Group(f"{number(low, 3)} to {number(high, 3)}", count, here))
    return groups


def _powers(values: Sequence[float]) -> list[float]:
    first, last = (math.floor(math.log10(value)) for value in (values[0], values[-1]))
    return [float(f"1e{power}") for power in range(first, last + 2)]


def _steps(values: Sequence[float]) -> list[float]:
    """Return edges, in steps of one size around the middle; the outer ones reach all others."""
    first_quarter, _, third = statistics.quantiles(values, n=4)
    far = 1.5 * (third - first_quarter)  # what lies beyond is one group, however far
    low, high = max(values[0], first_quarter - far), min(values[-1], third + far)
    step = _round_up((high - low) / FEW or abs(high) or 1.0)
    first = math.floor(low / step)
    last = max(first + 1, math.ceil(high / step))
    inner = [step * k for k in range(first, last + 1)]
    return [min(values[0], inner[0]), *inner, max(math.nextafter(values[-1], math.inf), inner[-1])]


def _round_up(step: float) -> float:
    """Return the next of 1, 2, 5, 10, 20, ..."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= step * (1 - 1e-9))
