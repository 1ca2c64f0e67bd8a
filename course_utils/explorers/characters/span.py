"""Brush a span of a text: the units that stand out there, and where else they do."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from course_utils.analysis.units.any_model import read_units
from course_utils.analysis.units.spans import Reading, SpanAnswer, ask_span, reading_of
from course_utils.explorers.characters.shared import OWN_LINES, held_out_text, network, typed_text
from course_utils.explorers.characters.units import scale_of
from course_utils.explorers.machinery.controls import slider, text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.characters.text import ColouredText, TextDrawing

BEST, OTHERS = 5, 12
LONGEST = 120  # characters of a span


class SpanSeen(NamedTuple):
    """The text coloured by one of the best units, and all of them in words."""

    text: ColouredText
    answer: SpanAnswer


class SpanDrawing:
    """The coloured text, the span outlined, other places dashed; below, the best units."""

    width = TextDrawing.width

    def __init__(self) -> None:
        self.coloured = TextDrawing(below=2, rows=10)  # six lines: letters stay large on a wall
        self.scene = self.coloured.scene

    def show(self, seen: SpanSeen) -> str:
        """Show the span and say what luck would find."""
        names = [f"{each.unit.of}[{each.unit.unit}] {each.area:.3f}" for each in seen.answer.found]
        luck = float(seen.answer.luck.median())
        lines = (f"best here: {', '.join(names)}", f"best for a span elsewhere: {luck:.3f}")
        words = self.coloured.show(seen.text, lines, say=False)
        self.scene = self.coloured.scene
        return f"{seen.text.headline}. {words}"


def explore_span() -> Explorer:
    """Let the reader brush a stretch of code and see which units stand out only there."""
    given = held_out_text()
    start = given.find("'", 100)
    return Explorer(
        "Which units stand out here, and only here?",
        {
            "at": slider("brush from character", 0, len(given) - 2, max(0, start), 1),
            "length": slider("number of characters", 1, LONGEST, 12, 1),
            "rank": slider("unit shown, 1 is best", 1, BEST, 1, 1),
            "own": text(
                "or your own line", "", "x = f('a string', 1)  # \\n begins a line", OWN_LINES
            ),
        },
        span_of,
        SpanDrawing(),
        tabulate_span,
    )


def span_of(at: int, length: int, rank: int, own: str) -> SpanSeen:
    """Ask which units stand out in a span of the shipped text, or of the reader's own."""
    words = typed_text(own) or held_out_text()
    if len(words) < 2:
        raise ValueError("a single character has no span that leaves some of it out: type more")
    at = min(at, len(words) - 2)
    last = min(at + length, len(words)) - 1
    if last - at + 1 >= len(words):
        last -= 1
    reading = _read(words)
    answer = ask_span(reading, at, last, BEST)
    best = answer.found[rank - 1]
    values = reading.shown[:, reading.units.index(best.unit)].numpy()
    side = "high" if best.side > 0 else "low"
    name = f"{best.unit.of}[{best.unit.unit}]"
    shown = ColouredText(
        name,
        words,
        values,
        scale_of(values, best.unit.of),
        at,
        ((at, last), *best.elsewhere[:OTHERS]),
        f"{name} is {side} here, area {best.area:.2f}; the best by luck: "
        f"{float(answer.luck.median()):.2f}",
        f"Dashed: {len(best.elsewhere)} other stretches where it stands out as much.",
    )
    return SpanSeen(shown, answer)


def tabulate_span(seen: SpanSeen) -> Table:
    """Return the best units, and luck."""
    rows = [
        (str(each.unit), "high" if each.side > 0 else "low", each.area, len(each.elsewhere))
        for each in seen.answer.found
    ]
    luck = float(np.median(seen.answer.luck.numpy()))
    return Table(
        ("unit", "there it is", "area", "other stretches"), [*rows, ("luck, median", "", luck, "")]
    )


@lru_cache(maxsize=4)
def _read(text: str) -> Reading:
    shown = read_units(network(), text)
    return reading_of([(0, each.of) for each in shown], [each.values for each in shown])
