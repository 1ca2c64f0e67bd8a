"""Pages that models wrote, side by side and long enough to see; a short text, coloured."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import dedent
from typing import NamedTuple

from course_utils.plots.characters import text as coloured
from course_utils.plots.characters.text import CELL, LINE, MONO, ColouredText, plain_signs, sign_of
from course_utils.plots.scene.tags import tag
from course_utils.plots.style import BLUE, FAINT
from course_utils.plots.svg import SMALLEST, Sketch, drawing, line_of, plain

COLUMNS, GAP, HEAD = 36, 22.0, 34.0
ACROSS = COLUMNS * CELL + GAP


class Page(NamedTuple):
    """A text that was written, under a line that says by whom."""

    title: str
    text: str


def plot_pages(pages: Sequence[Page], lines: int = 10) -> Sketch:
    """Draw pages in two columns, cut after some lines, without the indentation they share.

    Empty lines are left out; a line that is too long is wrapped.
    """
    down = HEAD + lines * LINE + 12
    parts = []
    for n, page in enumerate(pages):
        x, y = (n % 2) * ACROSS + 4, (n // 2) * down
        parts.append(line_of(plain(page.title), x=x, y=y + 22, key=f"title{n}", font_weight="bold"))
        parts.append(
            tag("rect", x=x - 1, y=y + HEAD - 4, width=ACROSS - GAP, height=1.5, fill=FAINT)
        )
        written = dedent("\n".join(line.rstrip() for line in page.text.split("\n")))
        rows = [
            line[k : k + COLUMNS]
            for line in filter(None, written.split("\n"))
            for k in range(0, len(line), COLUMNS)
        ]
        parts += [
            _row(row, x, y + HEAD + LINE * k + 20, f"page{n}row{k}")
            for k, row in enumerate(rows[:lines])
        ]
    height = down * ((len(pages) + 1) // 2)
    words = " ".join(f"{page.title}: {_first(page.text)} ..." for page in pages)
    return Sketch(drawing(round(2 * ACROSS - GAP + 8), round(height), *parts), words)


def plot_coloured(seen: ColouredText) -> Sketch:
    """Draw a whole short text, coloured by one unit."""
    rows = coloured.rows_of(seen.text)
    levels = coloured.levels_of(seen.values, seen.scale)
    parts = [
        line_of(plain(seen.headline or seen.name), x=coloured.LEFT, y=26, key="headline",
                font_weight="bold", font_size=SMALLEST + 2),
        *(part for n, row in enumerate(rows) for part in coloured.paint(levels, row, n)),
        *(coloured.write_row(seen.text, row, n) for n, row in enumerate(rows)),
    ]  # fmt: skip
    end = coloured.TOP + len(rows) * LINE
    parts += coloured.legend(seen, end + 28)
    return Sketch(
        drawing(coloured.WIDTH, round(end + 44), *parts),
        f"{seen.headline or seen.name}. {coloured.text_in_words(seen)}",
    )


def _row(signs: str, x: float, y: float, key: str) -> str:
    shown = "".join(map(sign_of, signs))
    places = " ".join(f"{CELL * k:g}" for k in range(len(shown)))
    return line_of(
        tag("tspan", plain_signs(shown), x=places), x=x, y=y, key=key, font_family=MONO,
        font_size=SMALLEST,
    )  # fmt: skip


def _first(text: str) -> str:
    return " ".join(text.split())[:80]


def plot_labels(line: str, marks: Sequence[tuple[str, Sequence[bool]]]) -> Sketch:
    """Draw a line of code, and below it for each label the characters that it marks."""
    at, down = 150.0, 34.0
    parts = [_row(line, at, 26, "line")]
    for n, (name, row) in enumerate(marks):
        y = 40 + down * n
        parts.append(line_of(plain(name), x=4, y=y + 20, key=f"name{n}"))
        parts += [
            tag("rect", x=at + CELL * k, y=y + 4, width=CELL, height=down - 10, fill=BLUE)
            for k, mark in enumerate(row)
            if mark
        ]
    told = "; ".join(f"{name}: {_marked(line, row) or 'nothing'}" for name, row in marks)
    size = round(at + CELL * len(line) + 10), round(44 + down * len(marks))
    return Sketch(drawing(*size, *parts), f"Of {line} is marked: {told}.")


def _marked(line: str, marks: Sequence[bool]) -> str:
    return "".join(sign if mark else " " for sign, mark in zip(line, marks, strict=True)).strip()
