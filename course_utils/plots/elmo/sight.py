"""Which inputs every output feels, reader by reader: squares that should be half empty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from course_utils.numbers import number
from course_utils.plots.glyphs import drawable
from course_utils.plots.picture import Plot
from course_utils.plots.style import FONT_SIZE, INK, SEQUENCE, new_figure, style_axes

LETTERS = 9  # of a token
FAINTEST = 1e-3  # of the strongest: what lies below is drawn as if it were that


class Sights(NamedTuple):
    """What outputs feel of inputs, by the reader's name: [k, j] is output k and input j."""

    tokens: Sequence[str]
    readers: dict[str, np.ndarray]  # (T, T) each


def plot_sight(sights: Sights) -> Plot:
    """Draw one square per reader, on a logarithmic scale; what is exactly 0 stays white."""
    T, count = len(sights.tokens), len(sights.readers)
    figure = new_figure(width=3.0 * count + 0.6, height=4.1)
    names = [drawable(token, LETTERS) for token in sights.tokens]
    for n, (ax, (name, sight)) in enumerate(
        zip(figure.subplots(1, count, squeeze=False)[0], sights.readers.items(), strict=True)
    ):
        style_axes(ax).grid(False)
        shown = np.full((T, T), np.nan)
        seen = sight > 0
        strongest = sight.max()
        shown[seen] = np.log10(np.maximum(sight[seen] / strongest, FAINTEST))
        ax.imshow(shown, vmin=np.log10(FAINTEST), vmax=0, cmap=SEQUENCE, interpolation="none")
        ax.set_title(name, fontsize=FONT_SIZE, color=INK)
        ax.set_xticks(range(T), names, rotation=90)
        ax.set_yticks(range(T), names if n == 0 else [""] * T)
        ax.tick_params(labelsize=FONT_SIZE - 1, length=0)
        ax.set_xlabel("input")
        if n == 0:
            ax.set_ylabel("output")
    return Plot(figure, " ".join(_said(*one) for one in sights.readers.items()))


def _said(name: str, sight: np.ndarray) -> str:
    later, earlier = np.triu(sight, 1).max(), np.tril(sight, -1).max()
    return (
        f"{name}: an output feels any input by at most {number(sight.max())}; a later one by "
        f"{number(later)}, an earlier one by {number(earlier)}."
    )
