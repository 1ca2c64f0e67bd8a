"""A gap in a sentence, filled from the left, from the right and from both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from course_utils.numbers import share
from course_utils.plots.glyphs import readable
from course_utils.plots.style import (
    BLUE,
    FONT_SIZE,
    GREEN,
    INK,
    ORANGE,
    add_headline,
    new_figure,
    style_axes,
)

SHOWN = 6
SIDES = {"left": "from the left", "right": "from the right", "both": "both together"}
LOOKS = {"left": (BLUE, ""), "right": (ORANGE, "//"), "both": (GREEN, "..")}
LONGEST = 13


class SideView(NamedTuple):
    """What one side expects in the gap: the likeliest words, and where the true one ranks."""

    words: Sequence[str]
    shares: np.ndarray  # (SHOWN,)
    rank: int  # of the word that was there, from 1
    share: float  # and what it got


class GapView(NamedTuple):
    """A sentence with a gap, and what the three sides say."""

    tokens: Sequence[str]
    at: int
    known: bool  # is the word that was there among those of the softmax?
    sides: dict[str, SideView]
    note: str = ""


class GapDrawing:
    """Three panels of bars side by side; the sentence with its gap above them."""

    def __init__(self) -> None:
        self.figure = new_figure(width=8.6, height=3.6)
        axes = self.figure.subplots(1, 3)
        places = np.arange(SHOWN)[::-1]
        text = {"size": FONT_SIZE, "color": INK, "va": "center", "parse_math": False}
        self.bars, self.words, self.heads = {}, {}, {}
        for ax, side in zip(axes, SIDES, strict=True):
            style_axes(ax).grid(False)
            ax.set(xlim=(0, 1), ylim=(-0.7, SHOWN + 0.3), xticks=[], yticks=[])
            ax.spines["bottom"].set_visible(False)
            colour, hatch = LOOKS[side]
            self.bars[side] = ax.barh(
                places, np.zeros(SHOWN), height=0.8, color=colour, alpha=0.35, hatch=hatch,
                edgecolor=colour, linewidth=0,
            )  # fmt: skip
            self.words[side] = [ax.text(0.02, y, "", **text) for y in places]
            self.heads[side] = ax.text(0, SHOWN - 0.1, "", weight="bold", **text)
        self.headline = add_headline(axes[0])
        self.headline.set_parse_math(False)
        self.moving = (
            *(bar for bars in self.bars.values() for bar in bars),
            *(word for words in self.words.values() for word in words),
            *self.heads.values(), self.headline,
        )  # fmt: skip

    def show(self, view: GapView) -> str:
        """Show what the three sides expect."""
        for side, found in view.sides.items():
            rows = zip(self.bars[side], self.words[side], found.words, found.shares, strict=True)
            for bar, text, word, p in rows:
                bar.set_width(float(p))
                text.set_text(f"{readable(word, LONGEST)}  {share(p)}")
            place = f"no. {found.rank:,}" if view.known else "not listed"
            self.heads[side].set_text(f"{SIDES[side]}: {place}")
        self.headline.set_text(_headline(view))
        return gap_in_words(view)


def with_gap(view: GapView, around: int = 5) -> str:
    """Return the sentence near its gap."""
    before = [readable(t) for t in view.tokens[max(0, view.at - around) : view.at]]
    after = [readable(t) for t in view.tokens[view.at + 1 : view.at + 1 + around]]
    left = "… " if view.at > around else ""
    right = " …" if len(view.tokens) > view.at + 1 + around else ""
    return left + " ".join([*before, "___", *after]) + right


def _headline(view: GapView) -> str:
    return with_gap(view)


def gap_in_words(view: GapView) -> str:
    """Return the first guess of every side, and the rank of the word that was there."""
    said = []
    for side, found in view.sides.items():
        place = f"the word itself is no. {found.rank:,} with {share(found.share)}"
        if not view.known:
            place = "the word itself is not one that it can predict"
        said.append(
            f"{SIDES[side]} '{readable(found.words[0])}' with {share(found.shares[0])} ({place})"
        )
    note = f" {view.note}" if view.note else ""
    word = readable(view.tokens[view.at])
    return f"In place of '{word}' in “{with_gap(view)}”: {'; '.join(said)}.{note}"
