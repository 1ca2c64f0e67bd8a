"""Where a batch holds words and where padding."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from course_utils.plots.picture import Plot
from course_utils.plots.style import FONT_SIZE, INK, head_figure, new_figure, style_axes


def plot_places(headline: str, masks: Mapping[str, np.ndarray]) -> Plot:
    """Draw batches beside each other, a row a sentence: words dark, padding pale."""
    figure = new_figure(width=8.2, height=3.7)
    longest = max(mask.shape[1] for mask in masks.values())
    for ax, (name, mask) in zip(figure.subplots(1, len(masks)), masks.items(), strict=True):
        style_axes(ax).grid(False)
        shown = np.zeros((len(mask), longest))
        shown[:, : mask.shape[1]] = np.where(mask, 0.85, 0.12)
        ax.imshow(shown, cmap="Blues", vmin=0, vmax=1, interpolation="none", aspect="auto")
        ax.set_title(f"{name}: {mask.mean():.0%} words", size=FONT_SIZE, color=INK)
        ax.set(xlabel="place", yticks=[], ylabel="sentences")
    head_figure(figure, headline)
    told = "; ".join(f"{name}: {_in_words(mask)}" for name, mask in masks.items())
    return Plot(figure, f"{headline}. {told}.")


def _in_words(mask: np.ndarray) -> str:
    many = "1 sentence" if len(mask) == 1 else f"{len(mask)} sentences"
    return f"{many} of up to {mask.shape[1]} words, {mask.mean():.0%} of the places are words"
