"""Pictures have one look and never come without words."""

from __future__ import annotations

import base64
import io
import itertools
import re

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_rgb
from PIL import Image

from course_utils.plots import style
from course_utils.plots.picture import Picture, describe, encode_png, show, words_of


def drawn():
    """Return an Axes with a line and its words."""
    ax = style.new_axes(4, 2)
    ax.plot([0, 1], [0, 1], **style.look("h").line_style())
    return describe(ax, "a line <rises> from 0 to 1")


def test_a_picture_without_words_is_refused():
    """Catches a figure that a blind reader would not know to be there."""
    ax = style.new_axes()
    with pytest.raises(ValueError, match=r"has no words: call plots\.picture\.describe"):
        show(ax)


def test_words_become_alt_text():
    """Catches alt text that is cut off, unescaped, or not that of the picture."""
    html = show(drawn())._repr_html_()
    assert 'alt="a line &lt;rises&gt; from 0 to 1"' in html
    png = base64.b64decode(re.search(r"base64,([^\"]+)", html)[1])
    assert Image.open(io.BytesIO(png)).size == (4 * style.DPI, 2 * style.DPI)
    assert 'width="400"' in html
    assert repr(show(drawn())) == "[picture: a line <rises> from 0 to 1]"


def test_words_of_all_axes_are_told():
    """Catches a figure of two panels that tells of one."""
    figure = style.new_figure()
    for place, words in enumerate(("left.", "right."), 1):
        describe(figure.add_subplot(1, 2, place), words)
    assert words_of(figure) == "left. right."
    assert Picture(figure).words == "left. right."


def test_a_png_holds_the_pixels():
    """Catches channels or rows that are swapped, and a difference taken of the wrong row."""
    pixels = np.zeros((3, 5, 4), dtype=np.uint8)
    pixels[..., 0], pixels[..., 1], pixels[..., 3] = 200, np.arange(15).reshape(3, 5), 255
    image = Image.open(io.BytesIO(encode_png(pixels)))
    assert image.size == (5, 3)
    assert np.array_equal(np.asarray(image.convert("RGBA")), pixels)


def test_figures_are_not_kept_by_pyplot():
    """Catches figures that pile up as a slider moves."""
    before = pyplot.get_fignums()
    style.new_axes()
    assert pyplot.get_fignums() == before


def test_an_unknown_look_names_the_known():
    """Catches "KeyError: 'q'"."""
    with pytest.raises(ValueError, match="choose one of i, f, o, g"):
        style.look("q")


FAMILIES = [
    ("i", "f", "o", "g", "c", "h"),
    ("z", "r", "n", "h"),
    ("elman", "gru", "lstm"),
    ("tanh", "sigmoid", "relu", "linear"),
    ("measured", "bound", "reference"),
]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda names: names[0])
def test_looks_differ_in_colour_and_in_line(family):
    """Catches two gates that are told apart by colour alone, or not at all."""
    for one, other in itertools.combinations(map(style.look, family), 2):
        assert one.colour != other.colour
        assert (one.line, one.hatch) != (other.line, other.hatch)


@pytest.mark.parametrize(
    "name", sorted(style.LOOKS.keys() - {"reference"})
)  # that one stays behind
def test_lines_stand_out_from_the_paper(name):
    """Catches a colour too light for a projector: WCAG asks for 3 : 1 against white."""
    assert contrast(style.look(name).colour, style.PAPER) >= 3


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, as WCAG 2 defines it."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = np.array(to_rgb(colour))
    linear = np.where(channels <= 0.03928, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])
