"""One word's tag while the rest of the sentence comes in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.numbers import number
from course_utils.plots.end_labels import EndLabels
from course_utils.plots.picture import Plot
from course_utils.plots.style import FONT_SIZE, add_headline, look, new_figure, style_axes

LOOKS = ("bound", "measured")


def plot_as_read(
    headline: str, asked: str, words: Sequence[str], shares: Mapping[str, np.ndarray]
) -> Plot:
    """Draw how likely each reader finds an answer after every word that it has read."""
    figure = new_figure(width=8.2, height=3.6)
    ax = style_axes(figure.add_subplot())
    steps = np.arange(len(words))
    for (name, values), own in zip(shares.items(), LOOKS, strict=False):
        ax.plot(steps, values, marker="o", markersize=8, label=name, **look(own).line_style())
    ax.set_xticks(steps, words, size=FONT_SIZE)
    ax.set(ylim=(-0.03, 1.05), xlim=(-0.3, len(words) - 0.8), ylabel=asked)
    names = dict(zip(shares, shares, strict=True))
    inks = {name: look(own).ink for name, own in zip(shares, LOOKS, strict=False)}
    EndLabels(ax, names, inks).show({name: values[-1] for name, values in shares.items()})
    add_headline(ax).set_text(headline)
    told = "; ".join(
        f"{name}: "
        + ", ".join(f"{word} {number(v, 2)}" for word, v in zip(words, values, strict=True))
        for name, values in shares.items()
    )
    return Plot(figure, f"{headline}. {asked}, after each word. {told}.")
