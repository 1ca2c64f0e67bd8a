"""The words a language model expects next, as bars."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any, NamedTuple

import numpy as np
from matplotlib.ticker import PercentFormatter

from course_utils.numbers import share
from course_utils.plots.glyphs import readable
from course_utils.plots.picture import Plot, figure_of
from course_utils.plots.style import (
    FONT_SIZE,
    INK,
    add_headline,
    keep_places,
    look,
    new_axes,
    new_figure,
    style_axes,
)

SHOWN = 10
PLACES = (0.213, 0.289, 0.953, 0.919)  # left, bottom, right and top of the bars
ENDS = (0.2, 1.0)  # of the axis: it moves rarely, and bars fill it
LONGEST = 16  # letters of a word
MOST_SAID = 200  # letters of a prompt
LETTERS = 76  # a line across the picture


class NextWords(NamedTuple):
    """What a model expects after a prompt, and one continuation."""

    prompt: str
    note: str  # what had to be done to the prompt
    temperature: float
    words: Sequence[str]  # the likeliest at this temperature
    sharpened: np.ndarray
    plain: np.ndarray
    continuation: str


class NextWordsDrawing:
    """The likeliest next words, before and after the temperature reshapes them; a continuation."""

    def __init__(self) -> None:
        self.figure = new_figure(height=3.9)
        self.ax = ax = style_axes(self.figure.add_subplot())
        places = np.arange(SHOWN)[::-1]
        cool, plain = look("measured"), look("bound")
        self.bars = ax.barh(places, np.zeros(SHOWN), color=cool.colour, height=0.62)
        (self.marks,) = ax.plot(
            np.zeros(SHOWN), places, "D", color=plain.colour, markersize=7,
            markeredgecolor="white", label="at temperature 1",
        )  # fmt: skip
        # dollar signs must not begin a formula
        label: dict[str, Any] = {"size": FONT_SIZE, "color": INK}
        label |= {"parse_math": False}
        beside = ax.get_yaxis_transform()  # whatever the axis ends at
        self.words = [
            ax.text(-0.01, y, "", ha="right", va="center", transform=beside, **label)
            for y in places
        ]
        self.text = ax.text(
            -0.24, -0.22, "", va="top", style="italic", transform=ax.transAxes, **label
        )
        ax.set(xlim=(0, 1), ylim=(-0.6, SHOWN - 0.4), yticks=[], xlabel="probability of being next")
        ax.legend(loc="lower right", fontsize=FONT_SIZE - 1, framealpha=0.85, edgecolor="none")
        ax.xaxis.set_major_formatter(PercentFormatter(1, decimals=None))
        keep_places(self.figure, *PLACES)
        self.headline = add_headline(ax)
        self.headline.set(x=-0.24, parse_math=False)
        self.moving = (*self.bars, self.marks, *self.words, self.text, self.headline)

    def show(self, data: NextWords) -> str:
        """Show what is expected and say the likeliest word."""
        for bar, text, word, p in zip(
            self.bars, self.words, data.words, data.sharpened, strict=True
        ):
            bar.set_width(p)
            text.set_text(readable(word, LONGEST))
        self.marks.set_xdata(data.plain)
        most = max(*data.sharpened, *data.plain)
        self.ax.set_xlim(0, next(end for end in ENDS if end >= min(most, 1)))
        lines = wrap(
            *(f"… {data.continuation}", LETTERS),
            max_lines=2, placeholder=" …", break_on_hyphens=False,
        )  # fmt: skip
        self.text.set_text("\n".join(lines))
        self.headline.set_text(_headline(data))
        return expectation_in_words(data)


def _headline(data: NextWords) -> str:
    first = readable(data.words[0], LONGEST)
    if data.temperature == 1:
        return f"Next comes '{first}' with {share(data.plain[0])}"
    return (
        f"Temperature {data.temperature:g}: '{first}' with {share(data.sharpened[0])}, "
        f"not {share(data.plain[0])}"
    )


def expectation_in_words(data: NextWords) -> str:
    """Return the likeliest next word and one continuation."""
    first = readable(data.words[0], LONGEST)
    note = f" ({data.note})" if data.note else ""
    return (
        f"After '{_end_of(data.prompt)}'{note} at temperature {data.temperature:g} the likeliest "
        f"word is '{first}' with {share(data.sharpened[0])}. One continuation: {data.continuation}"
    )


def _end_of(prompt: str) -> str:
    return prompt if len(prompt) <= MOST_SAID else f"… {prompt[-MOST_SAID:]}"


def plot_guess(prompt: str, words: Sequence[str], probabilities: Sequence[float]) -> Plot:
    """Draw the likeliest next words of one model as bars, the likeliest on top."""
    ax = new_axes(height=0.36 * len(words) + 1.1)
    places = np.arange(len(words))[::-1]
    ax.barh(places, probabilities, color=look("measured").colour, height=0.62)
    for y, p in zip(places, probabilities, strict=True):
        ax.text(p, y, f" {share(p)}", va="center", size=FONT_SIZE, color=INK)
    ax.set_yticks(places, [readable(word, LONGEST) for word in words])
    ax.set(xlim=(0, 1.12 * max(probabilities)), xticks=[])
    ax.grid(visible=False)
    add_headline(ax).set(text=f"{prompt} ...", parse_math=False)
    told = ", ".join(f"{w} {share(p)}" for w, p in zip(words, probabilities, strict=True))
    return Plot(figure_of(ax), f"After '{_end_of(prompt)}' a model expects: {told}.")
