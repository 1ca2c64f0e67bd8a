"""A unit over the whole sentence: its memory as a line, its gates as rows, the words below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.colors import to_hex, to_rgb

from course_utils.plots.glyphs import readable
from course_utils.plots.scene.tags import tag
from course_utils.plots.style import FAINT, INK, look
from course_utils.plots.svg import SMALLEST, formula, line_of, plain, width_of

LEFT, RIGHT, WIDTH = 130, 884, 940
LINE_HEIGHT, ROW, MOST_ROWS = 42, 20, 5
HERE = "#e00000"  # the frame of what the stop fills
SIGNED = "gnch"
LONGEST_WORD = 12
AIR = 6  # beside a word


class Strip(NamedTuple):
    """What is drawn of a sentence: the line, the rows, and where the walk stands."""

    words: Sequence[str]
    line_name: str  # a formula
    line_look: str
    line: np.ndarray  # (T,)
    labels: Mapping[str, str]  # of the rows
    rows: Mapping[str, np.ndarray]  # (T,) each
    t: int
    filled: str | None  # the row that the stop fills; None: the line


class Columns(NamedTuple):
    """The words that fit side by side, one column each, as wide as its word."""

    first: int
    words: tuple[str, ...]
    edges: np.ndarray  # (N + 1,)
    more: bool  # there are words after the last

    @property
    def middles(self) -> np.ndarray:
        """Return where each column's middle is."""
        middles: np.ndarray = (self.edges[1:] + self.edges[:-1]) / 2
        return middles


def columns_around(words: Sequence[str], t: int) -> Columns:
    """Turn to the page of the sentence that holds word t."""
    shown = [readable(word, LONGEST_WORD) for word in words]
    wide = [width_of(word) + AIR for word in shown]
    first, used, pages = 0, 0.0, []
    for k, each in enumerate(wide):
        if used + each > RIGHT - LEFT:
            pages.append((first, k))
            first, used = k, 0.0
        used += each
    pages.append((first, len(wide)))
    start, end = next((a, b) for a, b in pages if a <= t < b)
    share = (RIGHT - LEFT) / sum(wide[start:end])
    if (start, end) != (0, len(wide)):
        share = min(share, 1.25)  # a short last page keeps its scale
    share = min(share, 3.0)
    edges = LEFT + np.concatenate([[0.0], np.cumsum(wide[start:end])]) * share
    return Columns(start, tuple(shown[start:end]), edges, end < len(words))


def draw_strip(strip: Strip, top: float) -> str:
    """Return the strip as one SVG group whose upper edge is at `top`."""
    columns = columns_around(strip.words, strip.t)
    tall = (
        LINE_HEIGHT + (MOST_ROWS - len(strip.rows)) * ROW
    )  # the line takes the room of missing rows
    first_row = top + tall + 4
    shapes = _line(strip, columns, top, tall)
    for k, name in enumerate(strip.rows):
        shapes += _row(strip, name, columns, first_row + k * ROW)
    bottom = first_row + len(strip.rows) * ROW
    shapes += _words(columns, strip.t, bottom + SMALLEST)
    shapes += _keys(strip, first_row)
    shapes += _frames(strip, columns, (top, first_row, bottom))
    return tag("g", *shapes, data_key="strip")


STRIP_HEIGHT = LINE_HEIGHT + 4 + MOST_ROWS * ROW + SMALLEST + 5


def _line(strip: Strip, columns: Columns, top: float, tall: float) -> list[str]:
    here = slice(columns.first, columns.first + len(columns.words))
    limit = float(np.ceil(max(1.0, np.abs(strip.line).max())))
    middle, half = top + tall / 2, tall / 2 - 4
    heights = middle - strip.line[here] / limit * half
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(columns.middles, heights, strict=True))
    colour = look(strip.line_look).colour if strip.line_look else INK
    ink = look(strip.line_look).ink if strip.line_look else INK
    at = strip.t - columns.first
    ends = (("+", top + 14), ("−", top + tall - 1))
    return [
        line_of(formula(strip.line_name), x=LEFT - 10, y=middle + 6, key="line-name",
                text_anchor="end", fill=ink, font_weight="bold"),
        tag("path", d=f"M{LEFT} {middle} H{RIGHT}", stroke=FAINT, data_key="zero"),
        tag("polyline", points=points, fill="none", stroke=colour, stroke_width=3,
            data_key="line"),
        tag("circle", cx=float(columns.middles[at]), cy=float(heights[at]), r=6, fill=colour,
            data_key="point"),
        *(line_of(plain(f"{sign}{limit:g}"), x=RIGHT + 8, y=y, key=f"limit{sign}")
          for sign, y in ends),
    ]  # fmt: skip


def _row(strip: Strip, name: str, columns: Columns, y: float) -> list[str]:
    row = strip.rows[name][columns.first :][: len(columns.words)]
    draw = _bars if name in SIGNED else _shades
    places = zip(columns.edges, columns.edges[1:], row, strict=False)
    label = line_of(
        plain(strip.labels[name]), x=LEFT - 10, y=y + ROW - 4, key=f"name-{name}",
        text_anchor="end", fill=look(name).ink,
    )  # fmt: skip
    return [tag("g", *draw(name, list(places), y), data_key=f"row-{name}"), label]


def _shades(name: str, places: list[tuple[float, float, float]], y: float) -> list[str]:
    """Draw a gate: paper where it is shut, its own colour where it is open."""
    colours = shades(name, np.array([value for *_, value in places]))
    return [
        tag("rect", x=float(a), y=y, width=float(b - a) + 0.5, height=ROW, fill=to_hex(colour))
        for (a, b, _), colour in zip(places, colours, strict=True)
    ]


def _bars(name: str, places: list[tuple[float, float, float]], y: float) -> list[str]:
    """Draw what has a sign: up from the middle where it is positive, down where it is not."""
    half, colour = ROW / 2, look(name).colour
    bars = []
    for a, b, value in places:
        tall = min(abs(float(value)), 1.0) * (half - 1)
        top = y + half - (tall if value > 0 else 0)
        bars.append(tag("rect", x=float(a) + 2, y=top, width=float(b - a) - 4, height=tall,
                        fill=colour))  # fmt: skip
    middle = tag("path", d=f"M{LEFT} {y + half} H{places[-1][1]:.1f}", stroke=FAINT)
    return [*bars, middle]


def _words(columns: Columns, t: int, y: float) -> list[str]:
    said = [
        line_of(plain(word), x=float(x), y=y, key=f"word{k}", text_anchor="middle",
                font_weight="bold" if columns.first + k == t else None)
        for k, (word, x) in enumerate(zip(columns.words, columns.middles, strict=True))
    ]  # fmt: skip
    if columns.first:
        said.append(line_of(plain("…"), x=LEFT - 14, y=y, key="before", text_anchor="end"))
    if columns.more:
        said.append(line_of(plain("…"), x=RIGHT + 8, y=y, key="after"))
    return said


def _keys(strip: Strip, top: float) -> list[str]:
    """Say how to read the rows: the shades of a gate, the bars of what has a sign."""
    gate = next(name for name in strip.rows if name not in SIGNED)
    signed = [k for k, name in enumerate(strip.rows) if name in SIGNED][-1]
    start, end = RIGHT + 8, WIDTH - 4
    ramp = shades(gate, np.linspace(0, 1, 13))
    wide = (end - start) / len(ramp)
    cells = [
        tag("rect", x=start + k * wide, y=top + 17, width=wide + 0.3, height=6,
            fill=to_hex(colour))
        for k, colour in enumerate(ramp)
    ]  # fmt: skip
    return [
        tag("g", *cells, data_key="ramp"),
        line_of(plain("0"), x=start, y=top + 14, key="shut"),
        line_of(plain("1"), x=end, y=top + 14, key="open", text_anchor="end"),
        line_of(plain("±1"), x=start, y=top + (signed + 1) * ROW - 4, key="signed"),
    ]


def _frames(strip: Strip, columns: Columns, edges: tuple[float, float, float]) -> list[str]:
    """Frame the word's column, and in it what the stop fills."""
    top, first_row, bottom = edges
    at = strip.t - columns.first
    left, right = (float(edge) for edge in columns.edges[at : at + 2])
    if strip.filled is None:
        y, height = top, first_row - top - 4
    else:
        y, height = first_row + list(strip.rows).index(strip.filled) * ROW, ROW
    frames = (("column", top, bottom - top, INK, 1.5), ("here", y, height, HERE, 3.5))
    return [
        tag("rect", x=left, y=float(start), width=right - left, height=float(tall), fill="none",
            stroke=colour, stroke_width=line, rx=3, data_key=key)
        for key, start, tall, colour, line in frames
    ]  # fmt: skip


def shades(gate: str, values: np.ndarray) -> np.ndarray:
    """Return (N, 3): paper where the gate is closed, its own colour where it is open."""
    colours: np.ndarray = 1 - np.asarray(values)[:, None] * (
        1 - np.array(to_rgb(look(gate).colour))
    )
    return colours
