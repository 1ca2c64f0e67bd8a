"""What ELMo is made of: a row of dots for each ingredient, and what needs no network across."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from course_utils.numbers import number
from course_utils.plots.style import (
    BLUE,
    FAINT,
    FONT_SIZE,
    INK,
    ORANGE,
    PAPER,
    add_headline,
    new_figure,
    style_axes,
)

NAMES = {
    "words": "words alone",
    "static": "+ a table",
    "random": "+ untrained biLM",
    "letters": "+ letters",
    "layer 1": "+ layer 1",
    "top layer": "+ top layer",
    "elmo": "+ ELMo, mixed",
}
SEEDS = 5


class Board(NamedTuple):
    """What networks with each ingredient get right on one task, seeds in order."""

    task: str
    labels: int
    when: str  # "after 100 steps"
    runs: Mapping[str, np.ndarray]
    listed: float  # without a network
    listed_name: str

    def gain(self, name: str, over: str) -> float:
        """Return by how many points one ingredient is ahead of another, mean of the seeds."""
        return 100 * float((self.runs[name] - self.runs[over]).mean())


class BoardDrawing:
    """Five dots and their mean for each ingredient; the best row is blue."""

    def __init__(self) -> None:
        self.figure = new_figure(width=8.2, height=3.9)
        self.ax = ax = style_axes(self.figure.add_subplot())
        rows = range(len(NAMES))
        self.dots = [
            ax.plot([0] * SEEDS, [row] * SEEDS, "o", markersize=8, markeredgecolor=PAPER)[0]
            for row in rows
        ]
        self.means = [
            ax.plot([0], [row], "|", color=INK, markersize=16, markeredgewidth=2.5)[0]
            for row in rows
        ]
        self.said = [
            ax.annotate(
                "0.000", (1, row), (6, 0), xycoords=ax.get_yaxis_transform(),
                textcoords="offset points", va="center", size=FONT_SIZE, color=INK,
                weight="bold", annotation_clip=False,
            )
            for row in rows
        ]  # fmt: skip
        self.listed = ax.axvline(0, color=ORANGE, linestyle="--", linewidth=2)
        ax.set_yticks(rows, [*NAMES.values()], size=FONT_SIZE)
        ax.set(ylim=(len(NAMES) - 0.4, -0.6), xlabel="right labels; dashed: without a network")
        self.headline = add_headline(ax)
        self.figure.draw_without_rendering()
        self.figure.set_layout_engine(None)  # fixed places: layout is half of the time
        self.moving = (*self.dots, *self.means, *self.said, self.listed, self.headline)

    def show(self, board: Board) -> str:
        """Show one task at one size, and say who is ahead and what context adds."""
        means = {name: float(board.runs[name].mean()) for name in NAMES}
        best = max(means, key=lambda name: means[name])
        for name, dots, mean, said in zip(NAMES, self.dots, self.means, self.said, strict=True):
            dots.set_xdata(board.runs[name])
            dots.set_markerfacecolor(BLUE if name == best else FAINT)
            mean.set_xdata([means[name]])
            said.set_text(f"{means[name]:.3f}")
            said.set_fontweight("bold" if name == best else "normal")
        self.listed.set_xdata([board.listed, board.listed])
        every = np.concatenate([*board.runs.values(), [board.listed]])
        room = 0.06 * float(np.ptp(every))
        self.ax.set_xlim(every.min() - room, every.max() + room)
        self.headline.set_text(board_headline(board))
        return board_in_words(board)


def board_headline(board: Board) -> str:
    """Return what letters and context are worth, or that no network is needed."""
    beyond = 100 * (board.listed - max(seeds.mean() for seeds in board.runs.values()))
    if beyond > 0:
        return f"No network needed: {board.listed_name} {beyond:.1f} points ahead"
    letters, context = board.gain("letters", "static"), board.gain("elmo", "letters")
    return f"Over a table: letters {_signed(letters)} points, context {_signed(context)} on top"


def board_in_words(board: Board) -> str:
    """Return what letters, context and learning add, and every mean."""
    adds = (
        f"Over a table, letters alone are {_points(board.gain('letters', 'static'))}; over "
        f"letters, ELMo is {_points(board.gain('elmo', 'letters'))}; over its top layer alone, "
        f"the mix is {_points(board.gain('elmo', 'top layer'))}"
    )
    told = ", ".join(
        f"{NAMES[name].removeprefix('+ ')} {number(float(seeds.mean()), 3)}"
        for name, seeds in board.runs.items()
    )
    return (
        f"{board.task}, {board.labels:,} labels, {board.when}. {adds}. Means of {SEEDS} seeds: "
        f"{told}; {board.listed_name} {number(board.listed, 3)}."
    )


def _signed(gain: float) -> str:
    return f"{gain:+.1f}".replace("-", "−")


def _points(gain: float) -> str:
    return f"{abs(gain):.1f} points {'ahead' if gain >= 0 else 'behind'}"
