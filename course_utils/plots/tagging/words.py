"""A sentence with what each of its words did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.text import Text

from course_utils.numbers import number
from course_utils.plots.glyphs import drawable
from course_utils.plots.style import (
    FAINT,
    FONT_SIZE,
    INK,
    ORANGE,
    add_headline,
    look,
    new_figure,
    style_axes,
)

MOST_WORDS = 16


class TaggedView(NamedTuple):
    """The words with their tags, and what each did for the tag of the chosen one."""

    words: Sequence[str]
    tags: Sequence[str]
    sure: np.ndarray  # (T,)
    place: int
    effects: np.ndarray  # (T,), nats; 0 at the place
    note: str = ""
    unknown: Sequence[str] = ()  # words that the tagger has never read
    language: str = "the small English"  # whose tags they are


class TaggedDrawing:
    """Bars of effects over the sentence; below each word its tag."""

    def __init__(self) -> None:
        self.figure = new_figure(width=8.2, height=3.7)
        self.ax = ax = style_axes(self.figure.add_subplot())
        ax.set(xlim=(-0.6, MOST_WORDS - 0.4), xticks=[])
        ax.set_ylabel("supports it (nats)")
        ax.axhline(0, color=INK, linewidth=1)
        ax.set_xlabel(" \n \n \n \n ", size=FONT_SIZE)  # room for slanted words
        self.bars = ax.bar(range(MOST_WORDS), np.zeros(MOST_WORDS), color=look("measured").colour)
        self.mark = ax.axvspan(-0.4, 0.4, color=FAINT, alpha=0.35)
        self.texts = _texts(ax)
        self.headline = add_headline(ax)
        self.moving = (*self.bars, self.mark, *self.texts, self.headline)

    def show(self, view: TaggedView) -> str:
        """Show one sentence and name the word that decided."""
        T = len(view.words)
        top = max(1.0, 1.15 * float(np.abs(view.effects).max(initial=0)))
        self.ax.set(xlim=(-0.6, T - 0.4), ylim=(-top, top))
        for t, bar in enumerate(self.bars):
            bar.set_height(view.effects[t] if t < T else 0)
        self.mark.set_x(view.place - 0.4)
        for t, text in enumerate(self.texts):
            text.set_text(f"{drawable(view.words[t], 12)} {view.tags[t]}" if t < T else "")
            text.set_fontweight("bold" if t == view.place else "normal")
        self.headline.set_text(tagged_headline(view))
        return tagged_in_words(view)


def _texts(ax: Axes) -> list[Text]:
    return [
        ax.text(t, -0.04, "", size=FONT_SIZE - 1, color=INK, ha="right", va="top", rotation=40,
                rotation_mode="anchor", transform=ax.get_xaxis_transform())
        for t in range(MOST_WORDS)
    ]  # fmt: skip


def tagged_headline(view: TaggedView) -> str:
    """Return the chosen word's tag, and the word that supports it most."""
    if view.note:
        return drawable(view.note, 60)
    word, tag = drawable(view.words[view.place], 14), view.tags[view.place]
    if view.words[view.place] in view.unknown:
        return f"'{word}' was never read: {tag} is a guess from the others"
    best = int(np.argmax(view.effects))
    if view.effects[best] < 0.1:
        return f"'{word}' is {tag}: no other word matters"
    return f"'{word}' is {tag}: '{drawable(view.words[best], 14)}' supports it most"


def tagged_in_words(view: TaggedView) -> str:
    """Return all tags, and the words with the largest effects."""
    tags = ", ".join(f"{word} {tag}" for word, tag in zip(view.words, view.tags, strict=True))
    order = np.argsort(-np.abs(view.effects))[:3]
    effects = ", ".join(f"'{view.words[t]}' {number(view.effects[t])}" for t in order)
    never = ", ".join(f"'{word}'" for word in view.unknown[:5])
    unknown = f" Never read in training, so guessed from the others: {never}." if never else ""
    sure = f"{view.sure[view.place]:.0%}"
    return (
        f"{tagged_headline(view)}. Read as {view.language}; the tagger is {sure} sure.{unknown} "
        f"Tags: {tags}. Largest "
        f"effects, in nats: {effects}."
    )


class PooledView(NamedTuple):
    """The words, how much each weighs in the pooling, and what leaving it out costs."""

    words: Sequence[str]
    label: str
    sure: float
    weights: np.ndarray  # (T,)
    effects: np.ndarray  # (T,), nats
    agreement: float  # of the two orders, Spearman's
    note: str = ""


class PooledDrawing:
    """Weights above, effects of leaving a word out below."""

    def __init__(self) -> None:
        self.figure = new_figure(width=8.2, height=3.8)
        top, low = self.figure.subplots(2, 1, sharex=True)
        self.top, self.low = style_axes(top), style_axes(low)
        top.set_ylabel("weight")
        low.set_ylabel("costs (nats)")
        low.axhline(0, color=INK, linewidth=1)
        low.set(xlim=(-0.6, MOST_WORDS - 0.4), xticks=[])
        low.set_xlabel(" \n \n \n ", size=FONT_SIZE)
        zeros = np.zeros(MOST_WORDS)
        self.weights = top.bar(range(MOST_WORDS), zeros, color=ORANGE, hatch="//")
        self.effects = low.bar(range(MOST_WORDS), zeros, color=look("measured").colour)
        self.texts = _texts(low)
        self.headline = add_headline(top)
        self.moving = (*self.weights, *self.effects, *self.texts, self.headline)

    def show(self, view: PooledView) -> str:
        """Show one sentence and say whether weight and effect agree."""
        T = len(view.words)
        self.top.set(ylim=(0, max(0.2, 1.1 * float(view.weights.max(initial=0)))))
        limit = max(0.1, 1.15 * float(np.abs(view.effects).max(initial=0)))
        self.low.set(xlim=(-0.6, T - 0.4), ylim=(-limit, limit))
        for t in range(MOST_WORDS):
            self.weights[t].set_height(view.weights[t] if t < T else 0)
            self.effects[t].set_height(view.effects[t] if t < T else 0)
            self.texts[t].set_text(drawable(view.words[t], 12) if t < T else "")
        self.headline.set_text(pooled_headline(view))
        return pooled_in_words(view)


def pooled_headline(view: PooledView) -> str:
    """Return the answer and how well the weights rank the effects."""
    if view.note:
        return drawable(view.note, 60)
    heavy, costly = (drawable(view.words[t], 14) for t in _heavy_and_costly(view))
    if np.ptp(view.weights) < 1e-6:
        return f"All words weigh the same; '{costly}' costs most to leave out"
    if heavy == costly:
        return f"'{heavy}' weighs most, and costs most to leave out"
    return f"'{heavy}' weighs most; '{costly}' costs most to leave out"


def _heavy_and_costly(view: PooledView) -> tuple[int, int]:
    return int(view.weights.argmax()), int(view.effects.argmax())


def pooled_in_words(view: PooledView) -> str:
    """Return the answer, the heaviest word, and the word that costs most."""
    heavy, costly = _heavy_and_costly(view)
    orders = f"{view.agreement:+.2f}".replace("-", "−")
    ranks = "" if np.ptp(view.weights) < 1e-6 else f" The two orders agree to {orders} of 1."
    return (
        f"{pooled_headline(view)}. It reads as {view.label}, {view.sure:.0%} sure. "
        f"'{view.words[heavy]}' has weight {number(view.weights[heavy])}; without "
        f"'{view.words[costly]}' {number(view.effects[costly])} nats are lost.{ranks}"
    )
