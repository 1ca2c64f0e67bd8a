"""A text coloured by one number per character: a window that follows a mark, drawn as shapes."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from course_utils.numbers import signed_number
from course_utils.plots.scene.tags import tag
from course_utils.plots.style import BLUE, INK, ORANGE
from course_utils.plots.svg import SMALLEST, drawing, line_of, plain

WIDTH, COLUMNS, ROWS = 940, 74, 12
CELL, LINE = 12.1, 27.0  # one character's room
LEFT, TOP = 6.0, 46.0
MONO = "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', 'Courier New', monospace"
LEVELS = 6  # steps of colour to either side of 0
BINS = 120  # of the strip at the right, which shows the whole text
MAP_AT, MAP_WIDTH = 914.0, 20.0
SIGNS = {"\n": "↵", "\t": "→", " ": "\u00a0"}


class ColouredText(NamedTuple):
    """A text, a number for each character, and what is pointed at."""

    name: str  # whose numbers these are
    text: str
    values: np.ndarray  # (T,)
    scale: float  # the size at which the colour is full
    at: int  # the character that is pointed at
    outlined: tuple[tuple[int, int], ...] = ()  # first and last of stretches; the first is solid
    headline: str = ""
    note: str = ""


class TextDrawing:
    """Up to twelve lines around the character that is pointed at, and a strip of the whole text."""

    width = WIDTH

    def __init__(self, below: int = 0, rows: int = ROWS) -> None:
        self.scene = drawing(WIDTH, 0)
        self.below = below  # lines of words under the text, in place of lines of it
        self.rows = rows - 2 * below

    def show(self, seen: ColouredText, below: Sequence[str] = (), say: bool = True) -> str:
        """Draw the window; return what stands below, at the mark, and how far the colours reach."""
        words = " ".join((*(f"{line}." for line in below if say), text_in_words(seen)))
        rows = rows_of(seen.text)
        first = _first_row(rows, seen.at, self.rows)
        shown = list(enumerate(rows[first : first + self.rows]))
        end = TOP + self.rows * LINE
        height = end + 44 + 26 * self.below
        levels = levels_of(seen.values, seen.scale)
        parts = [line_of(plain(seen.headline or seen.name), x=LEFT, y=26, key="headline",
                         font_weight="bold", font_size=SMALLEST + 2)]  # fmt: skip
        parts += [part for n, row in shown for part in paint(levels, row, n)]
        parts += [part for n, row in shown for part in _outlines(seen.outlined, row, n)]
        parts += [write_row(seen.text, row, n) for n, row in shown]
        parts += [_mark(seen.at, row, n) for n, row in shown if row[0] <= seen.at < row[1]]
        parts += _map(levels, rows, first, self.rows)
        parts += legend(seen, end + 26)
        parts += [
            line_of(plain(line), x=LEFT, y=end + 56 + 26 * n, key=f"below{n}")
            for n, line in enumerate(below[: self.below])
        ]
        self.scene = drawing(WIDTH, round(height), *parts)
        return words


def rows_of(text: str) -> list[tuple[int, int]]:
    """Return where each shown line begins and ends; a line that is too long continues below."""
    rows, first = [], 0
    for line in text.split("\n"):
        end = first + len(line) + 1  # its line end is a character too
        for start in range(first, end, COLUMNS):
            rows.append((start, min(end, start + COLUMNS)))
        first = end
    start, end = rows[-1]
    rows[-1] = (start, min(end, len(text)))
    return rows if rows[-1][1] > rows[-1][0] or len(rows) == 1 else rows[:-1]


def levels_of(values: np.ndarray, scale: float) -> np.ndarray:
    """Return the step of colour of every number: its sign, and how near it is to the scale."""
    share = np.nan_to_num(np.asarray(values, dtype=float)) / (scale or 1.0)
    steps = np.ceil(np.abs(share) * LEVELS - 0.5).clip(0, LEVELS)
    levels: np.ndarray = (np.sign(share) * steps).astype(int)
    return levels


def colour_of(level: int) -> str:
    """Return a tint on which ink can be read: blue above 0, orange below."""
    base = BLUE if level > 0 else ORANGE
    strength = 0.5 * abs(level) / LEVELS
    paper = np.array([255, 255, 255])
    ink = np.array([int(base[n : n + 2], 16) for n in (1, 3, 5)])
    return "#" + "".join(f"{round(x):02x}" for x in paper + strength * (ink - paper))


def sign_of(character: str) -> str:
    """Return what is drawn for a character: one that has no shape of its own is a box."""
    if character in SIGNS:
        return SIGNS[character]
    if unicodedata.category(character)[0] in "CZM" or unicodedata.east_asian_width(character) in (
        "W",
        "F",
    ):
        return "□"
    return character


def text_in_words(seen: ColouredText) -> str:
    """Return what stands at the mark, its number, and how far the colours reach."""
    if not seen.text:
        return f"There is no text to colour. {seen.note}".strip()
    line = seen.text.count("\n", 0, seen.at) + 1
    column = seen.at - (seen.text.rfind("\n", 0, seen.at) + 1) + 1
    said = {"\n": "the end of the line", " ": "a space", "\t": "a tab"}
    character = said.get(seen.text[seen.at], sign_of(seen.text[seen.at]))
    strong = float((np.abs(seen.values) > seen.scale / 2).mean())
    return (
        f"{seen.name}: {signed_number(float(seen.values[seen.at]))} at line {line}, column "
        f"{column}, {character}. Full colour is {seen.scale:.2g}, and {100 * strong:.0f}% of the "
        f"{len(seen.text):,} characters exceed half of it. {seen.note}".strip()
    )


def _first_row(rows: Sequence[tuple[int, int]], at: int, most: int) -> int:
    own = next((n for n, row in enumerate(rows) if at < row[1]), len(rows) - 1)
    return max(0, min(own - most // 2 + 1, len(rows) - most))


def _place(row: tuple[int, int], place: int) -> float:
    return LEFT + CELL * (place - row[0])


def paint(levels: np.ndarray, row: tuple[int, int], n: int) -> list[str]:
    """Return one rectangle for every run of equal colour, with its bar."""
    own, parts, top = levels[row[0] : row[1]], [], TOP + LINE * n
    edges = np.flatnonzero(np.diff(own, prepend=own[:1] + 99, append=own[-1:] + 99))
    for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        level = int(own[start])
        if level == 0:
            continue
        x, width = LEFT + CELL * start, CELL * (end - start)
        parts.append(tag("rect", x=x, y=top, width=width, height=LINE, fill=colour_of(level)))
        thick = 0.6 + 3.4 * abs(level) / LEVELS
        y = top + LINE - thick if level > 0 else top
        parts.append(tag("rect", x=x, y=y, width=width, height=thick,
                         fill=BLUE if level > 0 else ORANGE))  # fmt: skip
    return parts


def _outlines(stretches: Sequence[tuple[int, int]], row: tuple[int, int], n: int) -> list[str]:
    parts = []
    for number, (first, last) in enumerate(stretches):
        start, end = max(first, row[0]), min(last + 1, row[1])
        if start < end:
            parts.append(
                tag(
                    "rect",
                    x=_place(row, start),
                    y=TOP + LINE * n + 1,
                    width=CELL * (end - start),
                    height=LINE - 2,
                    fill="none",
                    stroke=INK,
                    stroke_width=2.5 if not number else 2,
                    stroke_dasharray=None if not number else "5 4",
                )
            )
    return parts


def write_row(text: str, row: tuple[int, int], n: int) -> str:
    """Return the signs of a row, each in its own place."""
    signs = "".join(map(sign_of, text[row[0] : row[1]]))
    places = " ".join(f"{CELL * k:g}" for k in range(len(signs)))
    return line_of(
        tag("tspan", plain_signs(signs), x=places or None),
        x=LEFT, y=TOP + LINE * n + 20, key=f"row{n}", font_family=MONO, font_size=SMALLEST,
    )  # fmt: skip


def plain_signs(signs: str) -> str:
    """Return escaped signs, none left out: each keeps its place."""
    return signs.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _mark(at: int, row: tuple[int, int], n: int) -> str:
    return tag("rect", x=_place(row, at) - 1, y=TOP + LINE * n, width=CELL + 2, height=LINE,
               fill="none", stroke=INK, stroke_width=3, rx=3, data_key="mark")  # fmt: skip


def _map(levels: np.ndarray, rows: Sequence[tuple[int, int]], first: int, most: int) -> list[str]:
    """Return the whole text as a strip, its strongest colour in each of up to 120 bins."""
    height, parts = most * LINE, []
    bins = min(BINS, len(rows))
    step = height / bins
    for n in range(bins):
        start, end = n * len(rows) // bins, (n + 1) * len(rows) // bins
        own = levels[rows[start][0] : rows[end - 1][1]]
        level = round(float(own.mean())) if len(own) else 0
        if level:
            parts.append(tag("rect", x=MAP_AT, y=TOP + n * step, width=MAP_WIDTH, height=step,
                             fill=BLUE if level > 0 else ORANGE,
                             fill_opacity=0.2 + 0.8 * abs(level) / LEVELS))  # fmt: skip
    shown = min(most, len(rows)) / len(rows)
    parts.append(tag("rect", x=MAP_AT, y=TOP, width=MAP_WIDTH, height=height, fill="none",
                     stroke=INK, stroke_width=1))  # fmt: skip
    parts.append(tag("rect", x=MAP_AT - 4, y=TOP + height * first / len(rows),
                     width=MAP_WIDTH + 8, height=max(4.0, height * shown), fill="none",
                     stroke=INK, stroke_width=3, data_key="window"))  # fmt: skip
    return parts


def legend(seen: ColouredText, y: float) -> list[str]:
    """Return the scale of colours with its ends."""
    parts, x, width = [], 330.0, 18.0
    for n, level in enumerate(range(-LEVELS, LEVELS + 1)):
        box = {"x": x + width * n, "width": width, "height": 20}
        parts.append(tag("rect", y=y - 16, fill=colour_of(level) if level else "#ffffff", **box))
        if level:
            thick = 0.6 + 3.4 * abs(level) / LEVELS
            top = y + 4 - thick if level > 0 else y - 16
            parts.append(tag("rect", x=x + width * n, y=top, width=width, height=thick,
                             fill=BLUE if level > 0 else ORANGE))  # fmt: skip
    end = x + width * (2 * LEVELS + 1)
    low, high = (signed_number(sign * seen.scale) for sign in (-1, 1))
    parts += [
        line_of(plain(seen.name), x=LEFT, y=y, key="name"),
        line_of(plain(low), x=x - 8, y=y, key="low", text_anchor="end"),
        line_of(plain(high), x=end + 8, y=y, key="high"),
        line_of(plain("bar below: above 0"), x=end + 90, y=y, key="bars"),
    ]
    return parts
