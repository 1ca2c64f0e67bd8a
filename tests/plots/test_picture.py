"""Pictures have one look and never come without words."""

from __future__ import annotations

import base64
import itertools
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib import colormaps, pyplot
from matplotlib.colors import to_rgb

from course_utils.plots import style
from course_utils.plots.agreement.rates import RateTable, RateTableDrawing
from course_utils.plots.picture import Plot, show


def drawn():
    """Return a plot of a line and its words."""
    ax = style.new_axes(4, 2)
    ax.plot([0, 1], [0, 1], **style.look("h").line_style())
    return Plot(ax.figure, "a line <rises> from 0 to 1")


@pytest.mark.parametrize("words", ["", "  ", None])
def test_a_picture_without_words_is_refused(words):
    """Catches a figure that a blind reader would not know to be there."""
    with pytest.raises(ValueError, match="has no words: return what it shows"):
        show(Plot(style.new_figure(), words))


def test_words_become_alt_text():
    """Catches alt text that is cut off, unescaped, or not that of the picture."""
    html = show(drawn())._repr_html_()
    assert 'alt="a line &lt;rises&gt; from 0 to 1"' in html
    file = base64.b64decode(re.search(r"svg\+xml;base64,([^\"]+)", html)[1])
    assert ElementTree.fromstring(file).get("viewBox") == "0 0 400 200"
    assert 'width="400"' in html
    assert repr(show(drawn())) == "[picture: a line <rises> from 0 to 1]"


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


def turned_round(colour) -> np.ndarray:
    """Return a colour as a dark page shows it: invert(0.93), then hue-rotate(180deg)."""
    inverted = 0.93 - 0.86 * np.array(to_rgb(colour))
    weights = np.array([0.213, 0.715, 0.072])
    return np.clip(2 * inverted @ weights - inverted, 0, 1)


@pytest.mark.parametrize("name", ["INK", "GREEN", "RED", "PURPLE"])  # words are written in these
@pytest.mark.parametrize("page", [to_rgb, turned_round])
def test_words_can_be_read_on_either_page(name, page):
    """Catches labels that WCAG AA (4.5 : 1) does not allow, in the light or in the dark theme."""
    assert contrast(page(getattr(style, name)), page(style.PAPER)) >= 4.5


@pytest.mark.parametrize("name", sorted(style.LOOKS))
@pytest.mark.parametrize("page", [to_rgb, turned_round])
def test_names_of_lines_can_be_read_on_either_page(name, page):
    """Catches a line's name in the line's own colour, which is too light for letters."""
    assert contrast(page(style.look(name).ink), page(style.PAPER)) >= 4.5


@pytest.mark.parametrize("share", np.linspace(0, 1, 21).round(2))
@pytest.mark.parametrize("page", [to_rgb, turned_round])
def test_letters_in_a_table_can_be_read_on_every_cell(share, page):
    """Catches dark letters on a middling green, and white ones that the dark page turns round."""
    drawing = RateTableDrawing(1, 1)
    drawing.show(RateTable("", ["row"], ["column"], np.array([[share]])))
    *colour, depth = drawing.image.to_rgba(np.array([[share]]), alpha=drawing.image.get_alpha())[
        0, 0
    ]
    cell = depth * np.array(colour) + (1 - depth) * np.array(to_rgb(style.PAPER))
    (letters,) = drawing.texts.values()
    assert contrast(page(letters.get_color()), page(cell)) >= 4.5


@pytest.mark.parametrize("name", [*FAMILIES[2], *FAMILIES[3]])
def test_a_network_or_activation_has_no_colour_of_a_gate(name):
    """Catches a colour with two jobs: a relu in the GRU's green, a GRU in the input gate's."""
    others = {*FAMILIES[0], *FAMILIES[1], *FAMILIES[2]} - {name}
    assert style.look(name).colour not in {style.look(other).colour for other in others}


@pytest.mark.parametrize("page", [to_rgb, turned_round])
def test_larger_is_farther_from_the_paper(page):
    """Catches a map whose order turns round in the dark theme, as that of viridis does."""
    colours = [page(c) for c in colormaps[style.SEQUENCE](np.linspace(0, 1, 20))[:, :3]]
    apart = [contrast(colour, page(style.PAPER)) for colour in colours]
    assert apart == sorted(apart)
