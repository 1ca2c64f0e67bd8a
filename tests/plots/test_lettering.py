"""Remembered letters are the letters that matplotlib draws, pixel by pixel."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from course_utils import explorers
from course_utils.plots.lettering import RememberingCanvas, drawn, laid_out

TEXTS = (
    "0.53",
    "Table, fjord: VAWAy",
    "naïve ± ħ → ↵",
    "",
    "i" * 90,
    "two\nlines",
    "$x^2$ and more",
)
ANGLES = (0, 90, 33, 270.5)


def figure(seed: int) -> Figure:
    """Return texts of all sizes, colours and angles at places that are no whole pixels."""
    rng = np.random.default_rng(seed)
    drawn_on = Figure(figsize=(5.3, 3.1), dpi=130)
    for text in TEXTS * 2:
        size, angle = rng.choice([6.5, 11, 17.25]), rng.choice(ANGLES)
        family = rng.choice(["DejaVu Sans", "DejaVu Sans Mono"])
        drawn_on.text(
            *rng.uniform(-0.1, 1.1, 2), text, size=size, rotation=angle, family=family,
            color=rng.uniform(0, 1, 3), alpha=rng.uniform(0.2, 1), ha="center",
        )  # fmt: skip
    return drawn_on


def pixels(drawn_on: Figure, canvas: type[FigureCanvasAgg]) -> np.ndarray:
    """Draw a figure on such a canvas."""
    on = canvas(drawn_on)
    on.draw()
    return np.asarray(on.buffer_rgba()).copy()


@pytest.mark.parametrize("seed", range(4))
def test_letters_lie_where_they_lay(seed):
    """Catches a letter moved by part of a pixel, of another size, angle, font or height."""
    plain = pixels(figure(seed), FigureCanvasAgg)
    assert len(np.unique(plain)) > 50  # there is something to see
    for _ in range(2):  # once from the font, once from memory
        np.testing.assert_array_equal(pixels(figure(seed), RememberingCanvas), plain)


def test_a_second_drawing_comes_from_memory():
    """Catches a key that never hits, such as the place on the page."""
    pixels(figure(1), RememberingCanvas)
    before = laid_out.cache_info().misses, drawn.cache_info().misses
    pixels(figure(1), RememberingCanvas)
    assert (laid_out.cache_info().misses, drawn.cache_info().misses) == before


def test_what_asks_for_more_than_letters_is_left_to_matplotlib():
    """Catches features of a font that are lost, and letters smoothed that are to be sharp."""
    seen = []
    for canvas in (FigureCanvasAgg, RememberingCanvas):
        drawn_on = Figure(figsize=(4, 1))
        drawn_on.text(0.1, 0.1, "AVAVA fi office", fontfeatures=["-kern", "-liga"])
        drawn_on.text(0.1, 0.5, "sharp", antialiased=False)
        seen.append(pixels(drawn_on, canvas))
    np.testing.assert_array_equal(*seen)


def test_threads_do_not_spoil_each_others_letters():
    """Catches one font whose size two threads set in turn: what they draw would be remembered."""
    drawn.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        seen = list(pool.map(lambda seed: pixels(figure(seed), RememberingCanvas), [5, 6, 7] * 4))
    for seed, one in zip([5, 6, 7] * 4, seen, strict=True):
        np.testing.assert_array_equal(one, pixels(figure(seed), FigureCanvasAgg))


@pytest.mark.parametrize("name", ["explore_ablation", "explore_sentence", "explore_counters"])
def test_an_explorers_picture_is_the_same(name):
    """Catches a figure of ours on which a remembered letter shows."""
    explorer = getattr(explorers, name)()
    drawn_on = explorer.drawing.figure
    for control in list(explorer.controls.values())[:1]:
        control.value = control.value
    ours = pixels(drawn_on, RememberingCanvas)
    np.testing.assert_array_equal(ours, pixels(drawn_on, FigureCanvasAgg))
    explorer.close()
