"""A canvas redraws only what moved, and still shows what a figure drawn from nothing would show."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from course_utils.explorers.machinery.canvas import Canvas
from course_utils.plots.style import add_legend, new_figure, style_axes


class Two:
    """Two Axes, each with a line that moves; the right one has a legend and ticks set by hand."""

    def __init__(self):
        self.figure = new_figure(4, 2)
        self.left, self.right = (style_axes(ax) for ax in self.figure.subplots(1, 2))
        self.lines = [ax.plot([0, 1], [0, 1], label="x")[0] for ax in (self.left, self.right)]
        self.right.set_xticks([0, 1], ["a", "b"])
        add_legend(self.right)


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)))


CHANGES = {
    "left limits": lambda two: two.left.set_ylim(-3, 3),
    "right limits": lambda two: two.right.set_xlim(-30, 30),
    "scale": lambda two: two.right.set_yscale("symlog"),
    "title": lambda two: two.left.set_title("a title"),
    "title at the left": lambda two: two.left.set_title("a title", loc="left"),
    "title of all": lambda two: two.figure.suptitle("a title"),
    "label": lambda two: two.right.set_ylabel("a label"),
    "ticks": lambda two: two.left.set_xticks([0.25]),
    "ticks with words": lambda two: two.right.set_xticks([0, 1], ["c", "b"]),
    "legend's words": lambda two: two.right.get_legend().get_texts()[0].set_text("other words"),
    "legend's title": lambda two: two.right.get_legend().set_title("a title"),
    "legend's absence": lambda two: two.right.get_legend().remove(),
    "legend unseen": lambda two: two.right.get_legend().set_visible(False),
    "Axes unseen": lambda two: two.left.set_visible(False),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_frame_is_drawn_anew(name):
    """Catches a title, a legend or an Axes that stays as it was behind the moving artists."""
    two = Two()
    canvas = Canvas(two.figure, two.lines)
    before = canvas.png()
    assert canvas.png() == before
    assert canvas.backgrounds_drawn == 1
    CHANGES[name](two)
    after = canvas.png()
    assert canvas.backgrounds_drawn == 2
    fresh = Two()
    CHANGES[name](fresh)
    expected = Canvas(fresh.figure, fresh.lines).png()
    assert np.array_equal(pixels(after), pixels(expected))
    assert not np.array_equal(pixels(after), pixels(before))


def test_moving_costs_no_background():
    """Catches a whole figure drawn for every step of a slider."""
    two = Two()
    canvas = Canvas(two.figure, two.lines)
    pictures = set()
    for height in (0.2, 0.4, 0.6):
        two.lines[1].set_ydata([height, height])
        pictures.add(canvas.png())
    assert len(pictures) == 3
    assert canvas.backgrounds_drawn == 1


def test_a_drawing_that_failed_leaves_no_trace():
    """Catches axes out of place after a title that could not be drawn."""
    two = Two()
    canvas = Canvas(two.figure, two.lines)
    good = canvas.png()
    two.left.set_title(r"$\nosuchsymbol$")
    with pytest.raises(ValueError, match="nosuchsymbol"):
        canvas.png()
    two.left.set_title("")
    assert canvas.png() == good
