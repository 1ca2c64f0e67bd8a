"""The cells of two networks over one text: who counts, and who is right at the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from course_utils.numbers import number, raised
from course_utils.plots.picture import Plot
from course_utils.plots.style import (
    FAINT,
    FONT_SIZE,
    INK,
    LOOKS,
    add_headline,
    look,
    new_figure,
    style_axes,
)

MOST_POINTS = 500  # a line; more than the picture has room for
COUNTERS = ("c", "f")  # the looks of the first and the second counter
MARGIN = 1.15  # room above the highest cell
LEAST = 1.0  # a GRU's states are drawn on their whole interval


class Cells(NamedTuple):
    """One network on one text: all its cells, those that count, and its verdict."""

    name: str
    states: np.ndarray  # (T, H), the first before any letter
    counters: tuple[int, ...]  # which of them count, found elsewhere
    accepted: bool
    wrong_after: int | None  # letters, until its first wrong prediction


class TwoNetworks(NamedTuple):
    """The same text read by two networks."""

    text: str
    left: Cells
    right: Cells
    belongs: bool = True  # whether the text belongs to the language


class CellsDrawing:
    """Two pictures side by side, each on its own scale: faint cells, and the counters in colour."""

    def __init__(self) -> None:
        self.figure = new_figure(height=3.9)
        # places that stay: to lay out anew at every n would take half of the time
        self.figure.set_layout_engine(None)
        self.figure.subplots_adjust(0.12, 0.16, 0.96, 0.88, wspace=0.24)
        axes = self.figure.subplots(1, 2)
        self.panels = [_Panel(style_axes(ax)) for ax in axes]
        self.panels[0].ax.set_ylabel("cell $c_t$ or state $h_t$")
        self.moving = tuple(artist for panel in self.panels for artist in panel.moving)

    def show(self, seen: TwoNetworks) -> str:
        """Show both networks, and say what each makes of the text."""
        runs = runs_of(seen.text)
        said = [
            panel.show(cells, seen.belongs, runs)
            for panel, cells in zip(self.panels, (seen.left, seen.right), strict=True)
        ]
        return " ".join([f"{in_powers(runs)}.", *said])


class Story(Protocol):
    """One text as a network read it."""

    @property
    def text(self) -> str: ...
    @property
    def states(self) -> object: ...  # (T, H)
    @property
    def accepted(self) -> bool: ...
    @property
    def first_mistake(self) -> int | None: ...


def plot_cells(stories: Iterable[tuple[str, Story]]) -> Plot:
    """Draw networks, each with its name, on members of their languages, two side by side."""
    told = list(stories)
    rows = -(-len(told) // 2)
    figure, said = new_figure(height=0.6 + 2.2 * rows), []
    for ax, (name, story) in zip(figure.subplots(rows, 2).flat, told, strict=True):
        runs, states = runs_of(story.text), np.asarray(story.states)
        cells = Cells(name, states, (), story.accepted, story.first_mistake)
        said.append(f"{in_powers(runs)}. {_Panel(style_axes(ax)).show(cells, True, runs)}")
    return Plot(figure, " ".join(said))


class _Panel:
    """One network's cells over the letters."""

    def __init__(self, ax: Axes):
        self.ax = ax
        ax.set_xlabel("letters read")
        self.cells = LineCollection([], colors=FAINT, linewidths=1.2, alpha=0.8)
        ax.add_collection(self.cells)
        self.counters = [ax.plot([], [], **LOOKS[name].line_style())[0] for name in COUNTERS]
        self.turns = LineCollection([], colors=INK, linewidths=1, linestyles=":")
        ax.add_collection(self.turns)
        self.letters = [
            ax.text(0, 0, "", size=FONT_SIZE, color=INK, ha="center", va="top") for _ in range(3)
        ]
        self.headline = add_headline(ax)
        self.moving = (self.cells, self.turns, *self.counters, *self.letters, self.headline)

    def show(self, cells: Cells, belongs: bool, runs: list[tuple[str, int]]) -> str:
        states, last = cells.states, len(cells.states) - 1
        steps = np.unique(np.linspace(0, last, min(last + 1, MOST_POINTS)).round().astype(int))
        steps = np.union1d(steps, np.cumsum([0, *(count for _, count in runs)]))
        paths = [np.column_stack([steps, states[steps, k]]) for k in range(states.shape[1])]
        self.cells.set_segments(paths)
        for place, line in enumerate(self.counters):
            units = cells.counters[place : place + 1]
            line.set_data(steps if units else [], states[steps, units[0]] if units else [])
        top = _rounded_up(max(LEAST, MARGIN * float(np.abs(states).max())))
        self.ax.set(xlim=(0, last), ylim=(-top, top))
        self._mark(runs, top)
        word = "accepts" if cells.accepted else "refuses"
        right = cells.accepted == belongs
        self.headline.set_text(f"{'✓' if right else '✗'} {cells.name} {word} it")
        self.headline.set_color((look("measured") if right else look("bound")).ink)
        return _in_words(cells, word, right)

    def _mark(self, runs: list[tuple[str, int]], top: float) -> None:
        """Draw a line where the letter changes, and the letter over each of the longest runs."""
        ends = np.cumsum([count for _, count in runs])
        self.turns.set_segments([[(x, -top), (x, top)] for x in ends[:-1][:40]])
        shown = sorted(range(len(runs)), key=lambda k: -runs[k][1])[: len(self.letters)]
        for place, text in enumerate(self.letters):
            text.set_text("")
            if place < len(shown) and len(runs) <= len(self.letters):
                letter, count = runs[shown[place]]
                text.set_text(letter)
                text.set_position((ends[shown[place]] - count / 2, 0.97 * top))


def _in_words(cells: Cells, word: str, right: bool) -> str:
    verdict = f"The {cells.name} {word} it, {'rightly' if right else 'wrongly'}"
    first = (
        "and is right at every step"
        if cells.wrong_after is None
        else f"and is first wrong after {cells.wrong_after} letters"
    )
    ends = [
        f"cell {unit + 1} reaches {number(np.abs(cells.states[:, unit]).max(), 3)} and ends at "
        f"{number(cells.states[-1, unit], 3)}"
        for unit in cells.counters
    ]
    return "; ".join([f"{verdict}, {first}", *ends]) + "."


def runs_of(text: str) -> list[tuple[str, int]]:
    """Return the runs of a text: each letter, and how often it repeats."""
    runs: list[tuple[str, int]] = []
    for letter in text:
        if runs and runs[-1][0] == letter:
            runs[-1] = (letter, runs[-1][1] + 1)
        else:
            runs.append((letter, 1))
    return runs


def in_powers(runs: list[tuple[str, int]]) -> str:
    """Return runs of letters as people write them: a³ b³; a long text is cut."""
    said = [letter if count == 1 else f"{letter}{raised(count)}" for letter, count in runs[:12]]
    return " ".join(said) + (" …" if len(runs) > 12 else "") or "the empty text"


def _rounded_up(value: float) -> float:
    """Return a limit that moves rarely: the next of 1, 1.5, 2, 3, 5, 7 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(value))
    return next(float(step * power) for step in (1, 1.5, 2, 3, 5, 7, 10) if step * power >= value)
