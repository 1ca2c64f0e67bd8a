"""One text, letter by letter: the cells, what the network allows next, and where it is wrong."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from matplotlib.collections import LineCollection

from course_utils.numbers import number
from course_utils.plots.style import (
    FAINT,
    FONT_SIZE,
    INK,
    add_headline,
    look,
    new_figure,
    style_axes,
)

MOST_LETTERS = 30  # that are written below the axis


class OneReading(NamedTuple):
    """What a network does with a text."""

    name: str
    text: str
    symbols: str  # the end first
    states: np.ndarray  # (T, H), the first before any letter
    counters: tuple[int, ...]
    says: np.ndarray  # (T, V) bool: the symbols that it allows next
    truth: np.ndarray  # (T, V) bool
    refused_after: int | None
    belongs: bool


class ReadingDrawing:
    """Cells above; below, for each symbol, where it may come next: by the network, by the rules."""

    def __init__(self) -> None:
        self.figure = new_figure(height=4.4)
        self.figure.set_layout_engine(None)  # places that stay, so that a new text is drawn soon
        self.figure.subplots_adjust(0.11, 0.14, 0.98, 0.9, hspace=0.12)
        self.ax, self.strip = (
            style_axes(ax) for ax in self.figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
        )
        self.ax.set_ylabel("cells")
        self.ax.axhline(0, color=FAINT, linewidth=1)
        self.strip.set(ylabel="allowed next", xlabel="after each letter")
        self.strip.grid(False)
        self.cells = LineCollection([], colors=FAINT, linewidths=1.2, alpha=0.8)
        self.ax.add_collection(self.cells)
        (self.counter,) = self.ax.plot([], [], marker=".", **look("c").line_style())
        colour, wrong = look("measured").colour, look("bound").colour
        (self.right,) = self.strip.plot([], [], "s", color=colour, markersize=7)
        (self.extra,) = self.strip.plot([], [], "X", color=wrong, markersize=9)
        (self.missing,) = self.strip.plot(
            [], [], "s", markerfacecolor="none", markeredgecolor=wrong, markersize=8,
            markeredgewidth=2,
        )  # fmt: skip
        self.headline = add_headline(self.ax)
        lines = (self.cells, self.counter, self.right, self.extra, self.missing)
        self.moving = (*lines, self.headline)

    def show(self, seen: OneReading) -> str:
        """Show one reading, and say where the network leaves the rules."""
        steps = np.arange(len(seen.states))
        self.cells.set_segments([np.column_stack([steps, cell]) for cell in seen.states.T])
        unit = seen.counters[:1]
        self.counter.set_data(steps if unit else [], seen.states[:, unit[0]] if unit else [])
        top = 1.1 * max(1.0, float(np.abs(seen.states).max()))
        self.ax.set(xlim=(-0.5, len(steps) - 0.5), ylim=(-top, top))
        for mark, where in (
            (self.right, seen.says & seen.truth),
            (self.extra, seen.says & ~seen.truth),
            (self.missing, ~seen.says & seen.truth),
        ):
            mark.set_data(*np.nonzero(where))
        self.strip.set_ylim(-0.6, len(seen.symbols) - 0.4)
        self.strip.set_yticks(range(len(seen.symbols)), list(seen.symbols))
        self._name_letters(seen.text)
        word = "accepts" if seen.refused_after is None else "refuses"
        right = (seen.refused_after is None) == seen.belongs
        self.headline.set_text(f"{'✓' if right else '✗'} The {seen.name} {word} this text")
        self.headline.set_color((look("measured") if right else look("bound")).ink)
        return reading_in_words(seen)

    def _name_letters(self, text: str) -> None:
        if len(text) <= MOST_LETTERS:
            self.strip.set_xticks(range(len(text) + 1), ["", *text])
        else:
            places = np.linspace(0, len(text), 6).round().astype(int)
            self.strip.set_xticks(places, [str(place) for place in places])
        self.strip.tick_params(axis="x", labelsize=FONT_SIZE - 1, colors=INK)


def reading_in_words(seen: OneReading) -> str:
    """Return the verdict, and how many predictions are wrong."""
    wrong = (seen.says != seen.truth).any(axis=1)
    count, steps = int(wrong.sum()), len(wrong)
    belongs = "belongs" if seen.belongs else "does not belong"
    if seen.refused_after is None:
        verdict = f"The {seen.name} accepts it"
    elif seen.refused_after < len(seen.text):
        letter = seen.text[seen.refused_after]
        verdict = f"The {seen.name} refuses letter {seen.refused_after + 1}, {letter}"
    else:
        verdict = f"The {seen.name} does not allow the end"
    largest = number(np.abs(seen.states).max(), 3)
    return (
        f"This text of {len(seen.text)} letters {belongs} to the language. {verdict}. At {count} "
        f"of {steps} steps it is wrong about what may come next; its largest cell is {largest}."
    )
