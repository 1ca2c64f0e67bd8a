"""The words a language model expects next, as bars."""

from __future__ import annotations

from textwrap import wrap

import numpy as np
from matplotlib.figure import Figure

from course_utils.plots.picture import describe
from course_utils.plots.style import FONT_SIZE, INK, look, new_figure, style_axes

SHOWN = 10
LETTERS = 76  # a line across the picture


class NextWordsDrawing:
    """The likeliest next words before and after the temperature has reshaped them; one way on."""

    def __init__(self, figure: Figure | None = None):
        self.figure = figure or new_figure(height=3.6)
        self.ax = ax = style_axes(self.figure.add_subplot())
        places = np.arange(SHOWN)[::-1]
        cool, plain = look("measured"), look("bound")
        self.bars = ax.barh(places, np.zeros(SHOWN), color=cool.colour, height=0.62)
        (self.marks,) = ax.plot(
            np.zeros(SHOWN), places, "D", color=plain.colour, markersize=7,
            markeredgecolor="white", label="at temperature 1",
        )  # fmt: skip
        # dollar signs are no formula; long words must not move the axes
        label = {"size": FONT_SIZE, "color": INK, "parse_math": False, "in_layout": False}
        self.words = [ax.text(-0.01, y, "", ha="right", va="center", **label) for y in places]
        self.text = ax.text(
            -0.24, -0.22, "", va="top", style="italic", transform=ax.transAxes, **label
        )
        ax.set(xlim=(0, 1), ylim=(-0.6, SHOWN - 0.4), yticks=[], xlabel="probability of being next")
        ax.legend(loc="lower right", fontsize=FONT_SIZE - 1, framealpha=0.85, edgecolor="none")
        self.figure.get_layout_engine().set(rect=(0.185, 0.15, 0.805, 0.85))
        self.moving = (*self.bars, self.marks, *self.words, self.text)

    def show(self, data) -> None:
        """Show data with fields words, sharpened, plain, continuation, temperature, prompt."""
        for bar, text, word, p in zip(
            self.bars, self.words, data.words, data.sharpened, strict=True
        ):
            bar.set_width(p)
            text.set_text(printable(word))
        self.marks.set_xdata(data.plain)
        lines = wrap(f"… {data.continuation}", LETTERS, max_lines=2, placeholder=" …")
        self.text.set_text("\n".join(lines))
        describe(self.ax, expectation_in_words(data))


_NAMES = {"\n": "[line]", "\n\n": "[paragraph]", "</s>": "[end]", "⁀": "[no space]"}


def printable(word: str) -> str:
    """Return a token as one can see it: marks and white space get names."""
    if word in _NAMES or word.isspace():
        return _NAMES.get(word, "[space]")
    return word if len(word) <= 16 else word[:15] + "…"


def expectation_in_words(data) -> str:
    """Return the likeliest next word and one way on."""
    first = printable(data.words[0])
    note = f" ({data.note})" if data.note else ""
    return (
        f"After '{data.prompt}'{note} at temperature {data.temperature:g} the likeliest word is "
        f"'{first}' with {data.sharpened[0]:.0%}. One way on: {data.continuation}"
    )
