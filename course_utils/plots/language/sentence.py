"""A language model unrolled over a sentence: words in, expectations out, gradients back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.patches import FancyArrowPatch, Rectangle
from matplotlib.text import Text

from course_utils.plots.glyphs import drawable, readable
from course_utils.plots.style import FAINT, FONT_SIZE, INK, look, new_figure

FORWARD, BACKWARD = look("measured").colour, look("bound").colour
MOST_STEPS = 7
WORD_ROW, STATE_ROW, LIST_ROW, ASKED_ROW = 0.0, 1.25, 3.0, 4.35
HALF_WIDTH, HALF_HEIGHT = 0.62, 0.34
LINE = 0.42  # between two expected words
LONGEST = 9  # letters of a word that a column has room for
LONGEST_EXPECTED = 6  # the same beside its probability


class UnrolledSentence(NamedTuple):
    """What every step reads, expects and should expect, and how far the walk has come.

    Moments 1 to T are the steps forward; T + 1 to 2T are the steps back, the last step first.
    """

    read: Sequence[str]
    asked: Sequence[str]
    likeliest: Sequence[Sequence[str]]
    p_likeliest: np.ndarray  # (T, 3)
    p_asked: np.ndarray  # (T,)
    loss: np.ndarray  # (T,)
    d_h: np.ndarray  # (T,) norm of the gradient at the state
    d_x: np.ndarray  # (T,) norm of the gradient at the word's vector
    moment: int
    own_words: bool
    note: str  # what had to be done to the sentence
    goes_on: bool = False  # beyond the last column


class _Column(NamedTuple):
    """The artists of one step."""

    arrows: list[Any]
    box: Rectangle
    texts: dict[str, Any]

    def set_visible(self, seen: bool) -> None:
        for artist in (*self.arrows, self.box, *self.texts.values()):
            artist.set_visible(seen)


class SentenceDrawing:
    """Four rows: the word read, the state, the words expected, the target word."""

    def __init__(self) -> None:
        self.figure = new_figure(width=9.6, height=3.7)
        self.ax = ax = self.figure.add_subplot()
        ax.set_axis_off()
        ax.set(xlim=(-0.3, 2 * MOST_STEPS + 1.1), ylim=(-0.75, 5.0))
        rows = (WORD_ROW, "reads"), (STATE_ROW, "state"), (LIST_ROW, "expects"), (ASKED_ROW, "next")
        for y, name in rows:
            ax.text(-0.3, y, name, size=FONT_SIZE - 1, color=INK, ha="left", va="center")
        self.columns = [self._column(t) for t in range(1, MOST_STEPS + 1)]
        self.more = self._text(2 * MOST_STEPS + 1.0, ASKED_ROW, FONT_SIZE, INK)
        artists = [a for c in self.columns for a in (*c.arrows, c.box, *c.texts.values())]
        self.moving = [*artists, self.more]
        self._looks: dict[int, tuple[str, bool]] = {}  # of each column: its colour, its own words

    def _column(self, t: int) -> _Column:
        x = 2.0 * t
        box = Rectangle(
            (x - HALF_WIDTH, STATE_ROW - HALF_HEIGHT), 2 * HALF_WIDTH, 2 * HALF_HEIGHT,
            facecolor="white", edgecolor=FAINT, linewidth=2,
        )  # fmt: skip
        self.ax.add_patch(box)
        small, colour = FONT_SIZE - 1, BACKWARD
        texts = {
            "read": self._text(x, WORD_ROW, FONT_SIZE, INK),
            "state": self._text(x, STATE_ROW, small, INK),
            "asked": self._text(x, ASKED_ROW, FONT_SIZE, INK, weight="bold"),
            "loss": self._text(x, ASKED_ROW - 0.4, small, INK),
            "d_x": self._text(x, WORD_ROW - 0.45, small, colour),
        }
        for place in range(3):
            texts[f"likely{place}"] = self._text(x, LIST_ROW + (1 - place) * LINE, small, INK)
        arrows = [self._arrow(*ends) for ends in _ends(t)]
        return _Column(arrows, box, texts)

    def _arrow(self, start: tuple[Any, ...], end: tuple[Any, ...]) -> FancyArrowPatch:
        arrow = FancyArrowPatch(
            *(start, end), arrowstyle="-|>", mutation_scale=15, color=FAINT, shrinkA=0, shrinkB=0
        )  # shrinking it cuts its curve in two, at every drawing
        self.ax.add_patch(arrow)
        return arrow

    def _text(self, x: float, y: float, size: float, colour: str, **more: Any) -> Text:
        return self.ax.text(x, y, "", size=size, color=colour, ha="center", va="center", **more)

    def show(self, sentence: UnrolledSentence) -> str:
        """Show one moment of the walk and say what it has just computed."""
        T = len(sentence.read)
        self.more.set_text("…" if sentence.goes_on else "")
        back_from = T - max(0, sentence.moment - T)  # steps above it have gradients
        for t, column in enumerate(self.columns, start=1):
            column.set_visible(t <= T)
            if t <= T:
                reached, returned = sentence.moment >= t, t > back_from
                self._show_column(t, column, sentence, reached, returned)
        return sentence_in_words(sentence)

    def _show_column(
        self, t: int, column: _Column, sentence: UnrolledSentence, reached: bool, returned: bool
    ) -> None:
        i = t - 1
        colour = BACKWARD if returned else FORWARD if reached else FAINT
        own = sentence.own_words and t > 1
        if self._looks.get(t) != (colour, own):  # what is set is drawn again, changed or not
            self._looks[t] = colour, own
            column.box.set_edgecolor(colour)
            for arrow, ends in zip(column.arrows, _ends(t), strict=True):
                arrow.set_color(colour)
                arrow.set_positions(*(reversed(ends) if returned else ends))
            column.texts["state"].set_color(BACKWARD if returned else INK)
            column.texts["read"].set_style("italic" if own else "normal")
        texts = dict.fromkeys(column.texts, "")
        texts["asked"] = drawable(sentence.asked[i], LONGEST)
        if reached or not own:  # its own words are known only once it has said them
            texts["read"] = drawable(sentence.read[i], LONGEST)
        if reached:
            for place, word in enumerate(sentence.likeliest[i]):
                p = sentence.p_likeliest[i, place]
                texts[f"likely{place}"] = f"{drawable(word, LONGEST_EXPECTED)} {_percent(p)}"
            texts["loss"] = f"J = {sentence.loss[i]:.2f}"
            texts["state"] = f"$h_{t}$"
        if returned:
            texts["state"] = f"{sentence.d_h[i]:.3f}"
            texts["d_x"] = f"{sentence.d_x[i]:.3f}"
        for name, text in texts.items():
            column.texts[name].set_text(text)


def _ends(t: int) -> tuple[Any, ...]:
    """Return where the arrows into the state, out of it and from the state before run."""
    x = 2.0 * t
    low, high = STATE_ROW - HALF_HEIGHT, STATE_ROW + HALF_HEIGHT
    return (
        ((x, WORD_ROW + 0.25), (x, low)),
        ((x, high), (x, LIST_ROW - LINE - 0.28)),
        ((x - (2 - HALF_WIDTH if t > 1 else 1.1), STATE_ROW), (x - HALF_WIDTH, STATE_ROW)),
    )


def _percent(p: float) -> str:
    return f"{p:.0%}" if p >= 0.095 else f"{p:.1%}"


def sentence_in_words(sentence: UnrolledSentence) -> str:
    """Return what has just been computed."""
    T, moment = len(sentence.read), sentence.moment
    note = f" ({sentence.note})" if sentence.note else ""
    if moment == 0:
        return f"Nothing has been read yet: move the walk.{note}"
    if moment <= T:
        i = moment - 1
        source = "its own word" if sentence.own_words and i else "the word"
        return (
            f"Forward, step {moment}: it reads {source} '{readable(sentence.read[i])}', expects "
            f"'{readable(sentence.likeliest[i][0])}' with {_percent(sentence.p_likeliest[i, 0])}, "
            f"and gives '{readable(sentence.asked[i])}' {_percent(sentence.p_asked[i])}: "
            f"loss {sentence.loss[i]:.2f}; mean so far {sentence.loss[:moment].mean():.2f}.{note}"
        )
    t = 2 * T - moment + 1
    later = " and from all later ones" if t < T else ""
    return (
        f"Backward, step {t}: a gradient of size {sentence.d_h[t - 1]:.3f} at the state, from its "
        f"own loss{later}; {sentence.d_x[t - 1]:.3f} of it reaches the vector of "
        f"'{readable(sentence.read[t - 1])}'.{note}"
    )
