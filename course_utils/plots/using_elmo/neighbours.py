"""A word in its sentence and the uses nearest to it, one under the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from matplotlib.patches import Rectangle

from course_utils.plots.glyphs import drawable
from course_utils.plots.style import BLUE, FONT_SIZE, INK, SKY, new_figure

ROWS = 6
SHOWN = 3  # words on either side
LONGEST = 12
MIDDLE = 0.5


class Line(NamedTuple):
    """A use: what stands before it, the word, what stands after it, and how near it is."""

    before: Sequence[str]
    word: str
    after: Sequence[str]
    similarity: float


class Concordance(NamedTuple):
    """The use asked about, and the nearest ones."""

    asked: Line
    found: Sequence[Line]
    layer: str
    among: str  # of what these are the nearest
    note: str = ""


class ConcordanceDrawing:
    """The words asked about stand in one column, a bar before each line says how near it is."""

    def __init__(self) -> None:
        self.figure = new_figure(width=8.0, height=3.8)
        self.ax = ax = self.figure.add_subplot()
        ax.set_axis_off()
        ax.set(xlim=(0, 1), ylim=(ROWS + 0.6, -1.6))
        self.headline = ax.text(0, -1.2, "", size=FONT_SIZE + 1, weight="bold", color=INK,
                                va="center")  # fmt: skip
        self.rows = [self._row(n) for n in range(ROWS + 1)]
        self.moving = (self.headline, *(artist for row in self.rows for artist in row))

    def _row(self, n: int) -> tuple[Any, ...]:
        asked: dict[str, Any] = {"size": FONT_SIZE, "va": "center", "color": INK}
        bar = Rectangle((0, n - 0.25), 0, 0.5, facecolor=SKY, hatch="//", edgecolor="white")
        self.ax.add_patch(bar)
        return (
            bar,
            self.ax.text(0.085, n, "", ha="left", **asked),
            self.ax.text(MIDDLE - 0.06, n, "", ha="right", **asked),
            self.ax.text(MIDDLE, n, "", ha="center", **{**asked, "color": BLUE, "weight": "bold"}),
            self.ax.text(MIDDLE + 0.06, n, "", ha="left", **asked),
        )

    def show(self, data: Concordance) -> str:
        """Show a use and its neighbours, nearest first."""
        lines = [data.asked, *data.found[:ROWS]]
        for n, row in enumerate(self.rows):
            line = lines[n] if n < len(lines) else None
            for artist in row:
                artist.set_visible(line is not None)
            if line is not None:
                self._fill(row, line, asked=n == 0)
        self.headline.set_text(f"{data.layer}: nearest among {data.among}")
        return concordance_in_words(data)

    def _fill(self, row: tuple[Any, ...], line: Line, asked: bool) -> None:
        bar, number, before, word, after = row
        bar.set_width(0 if asked else 0.08 * max(line.similarity, 0))
        number.set_text("you ask" if asked else f"{line.similarity:.2f}")
        shift = 0.0135 * min(len(line.word), LONGEST) / 2 + 0.014
        before.set_x(MIDDLE - shift)
        after.set_x(MIDDLE + shift)
        cut_left, cut_right = len(line.before) > SHOWN, len(line.after) > SHOWN
        before.set_text(("… " if cut_left else "") + _words(line.before[-SHOWN:]))
        word.set_text(drawable(line.word, LONGEST))
        after.set_text(_words(line.after[:SHOWN]) + (" …" if cut_right else ""))


def _words(words: Sequence[str]) -> str:
    return " ".join(drawable(word, LONGEST) for word in words)


def concordance_in_words(data: Concordance) -> str:
    """Return the nearest uses as text."""
    note = f" ({data.note})" if data.note else ""
    if not data.found:
        return f"{data.layer}: no other use of '{data.asked.word}' is among {data.among}.{note}"
    told = "; ".join(
        f"{' '.join([*line.before[-SHOWN:], f'[{line.word}]', *line.after[:SHOWN]])} "
        f"{line.similarity:.2f}"
        for line in data.found[:ROWS]
    )
    return f"{data.layer}, nearest to '{data.asked.word}' among {data.among}: {told}.{note}"
