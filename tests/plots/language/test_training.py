"""The curves of lecture 01 are named in letters that the last row can read."""

from __future__ import annotations

import re

import numpy as np
import pytest

from course_utils.plots.language.training import (
    LossDrawing,
    Losses,
    plot_by_context,
    plot_word_race,
)
from course_utils.plots.scene.surface import scene_of

LEAST = 16.6  # pixels of a picture in its own size: the deck counts on them


def learning():
    drawing = LossDrawing(300, highest=8.0)
    return drawing.figure, drawing.show(Losses(np.linspace(8, 5, 300)))


@pytest.mark.parametrize(
    "draw",
    [
        learning,
        lambda: plot_word_race((20, 400), {"2-gram": [250, 90], "lstm": [280, 55]}),
        lambda: plot_by_context({4: 65.0, 35: 50.0}, whole=48.0, counted=61.0),
    ],
    ids=["learning", "word race", "by context"],
)
def test_letters_are_as_large_as_the_deck_counts_on(draw):
    """Catches a name beside a line in Matplotlib's own size, too small on a full slide."""
    figure, words = draw()
    sizes = re.findall(r'font-size="([\d.]+)"', scene_of(figure).svg(words))
    assert min(map(float, sizes)) >= LEAST
