"""Pictures of ELMo: shapes and words are made of the data, and nothing leaves the paper."""

from __future__ import annotations

import numpy as np
import pytest

from course_utils.analysis.elmo.letters import Fired
from course_utils.plots.elmo.gap import GapDrawing, GapView, SideView
from course_utils.plots.elmo.layers import LayerDrawing, LayerView
from course_utils.plots.elmo.letters import FILTERS, LetterDrawing, LetterView
from course_utils.plots.elmo.mix import SHOWN, MixDrawing, MixView
from course_utils.plots.elmo.sight import Sights, plot_sight
from course_utils.plots.elmo.walk import STOPS, WordView, WordWalkDrawing, layers_of
from course_utils.plots.elmo.walk_layout import CELLS, COLUMNS, MIX_LEFT, STRIP
from course_utils.plots.svg import SMALLEST, width_of
from tests.plots.gates.drawn import number, part, read, text

rng = np.random.default_rng(3)


def view(stop: str, **other) -> WordView:
    """Return a word whose vectors are all different."""
    made = WordView(
        words=("'s", "stick", "</S>"),
        letters=("⟨", *"stick", "⟩"),
        window=(2, 4),
        features=rng.random(CELLS),
        passed=rng.random(CELLS),
        tokens=rng.normal(size=(3, CELLS)),
        ahead=rng.normal(size=(2, 3, CELLS)),
        back=rng.normal(size=(2, 3, CELLS)),
        shares=np.array([0.5, 0.3, 0.2]),
        gamma=2.0,
        open_share=0.25,
        sizes=(368, 160),
        place=(3, 4),
        stop=stop,
    )
    return made._replace(**other)


def shown(stop: str, **other):
    """Return the picture of one stop as a page reads it, and its words."""
    walk = WordWalkDrawing()
    words = walk.show(view(stop, **other))
    return read(walk.scene.svg()), words


def test_the_mix_is_the_sum_of_its_shares():
    """Catches gamma left out, and halves exchanged."""
    one = view("sum")
    layers = layers_of(one)
    expected = 2.0 * (0.5 * layers[0] + 0.3 * layers[1] + 0.2 * layers[2])
    np.testing.assert_allclose(one.mixed, expected)
    np.testing.assert_allclose(layers[0], [one.tokens[1]] * 2)
    np.testing.assert_allclose(layers[2, 1], one.back[1, 1])


@pytest.mark.parametrize(
    ("stop", "reached", "unreached"),
    [
        ("token vector", "token", "f1"),
        ("forward 2", "f2", "b1"),
        ("backward 1", "b1", "b2"),
        ("backward 2", "b2", None),
    ],
)
def test_a_stop_fills_its_strips_and_leaves_the_next_empty(stop, reached, unreached):
    """Catches a backward strip that is filled while the forward direction still reads."""
    root, _ = shown(stop)
    for n in range(3):
        assert number(root, f"strip-{reached}-{n}", "cells", "opacity") == 1
        if unreached:
            assert number(root, f"strip-{unreached}-{n}", "cells", "opacity") < 0.2
    assert number(root, f"strip-{reached}-1", "glow", "opacity") == 1
    assert number(root, f"strip-{reached}-0", "glow", "opacity") == 0


def test_the_layers_travel_from_the_column_to_the_right():
    """Catches a copy that appears from nowhere: before it is seen it lies on what it copies."""
    before, after = shown("backward 2")[0], shown("concatenate")[0]
    for level, (ahead, back) in enumerate((("token", "token"), ("f1", "b1"), ("f2", "b2"))):
        for side, own in enumerate((ahead, back)):
            key = f"mix-{level}-{side}"
            home = part(before, f"strip-{own}-1").get("style")
            assert part(before, f"strip-{key}").get("style") == home
            assert number(before, f"in-{level}{side}", "opacity") == 0
            style = part(after, f"strip-{key}").get("style")
            left = float(style.split("(")[1].split("px")[0])
            assert left == MIX_LEFT + side * (STRIP + 6)
            assert number(after, f"in-{level}{side}", "opacity") == 1


def test_the_window_lies_over_the_letters_that_the_filter_sees():
    """Catches a frame one slot off, and one on a stop that is not about letters."""
    root, words = shown("filters")
    slots = [number(root, f"box{n}", "x") for n in range(7)]
    assert number(root, "window", "x") == slots[2] - 2
    assert number(root, "window", "width") == pytest.approx(slots[6] - slots[2] + 4)
    assert number(root, "window", "opacity") == 1
    assert "sees tick" in words
    assert number(shown("highway")[0], "window", "opacity") == 0


def test_a_shade_says_the_sign():
    """Catches signs exchanged between neighbours of one strip; white is zero."""
    vector = np.zeros(CELLS)
    vector[:2] = 1, -1
    tokens = np.stack([vector, vector, vector])
    cells = part(shown("token vector", tokens=tokens)[0], "strip-token-1", "cells")
    fills = [cell.get("fill") for cell in cells]
    assert len({*fills}) == 3
    assert fills[2] == fills[3] != fills[0] != fills[1]


@pytest.mark.parametrize("stop", STOPS)
def test_no_letter_is_small_and_no_line_leaves_the_paper(stop):
    """Catches words cut off at an edge, also long words, and labels smaller than a deck needs."""
    long = {"words": ("constitutional", "reinterpretations", "</S>"), "note": "A note."}
    long |= {"letters": ("⟨", *"reinterpretations", "⟩")}
    walk = WordWalkDrawing()
    for other in ({}, long):
        walk.show(view(stop, **other))
        for one in read(walk.scene.svg()).iter():
            if not one.tag.endswith("}text"):
                continue
            said = "".join(one.itertext())
            size = float(one.get("font-size", SMALLEST))
            assert size >= SMALLEST
            start = float(one.get("style").split("(")[1].split("px")[0])
            wide = 0.95 * width_of(said, size)  # which is rather too wide
            anchor = one.get("text-anchor", "start")
            left = start - wide * {"start": 0, "middle": 0.5, "end": 1}[anchor]
            assert left >= -1, said
            assert left + wide <= walk.width + 1, said


def test_words_stand_below_their_columns():
    """Catches the word's column under another word, and markup that is not escaped."""
    root, _ = shown("letters", words=("<b>", "stick", "to"))
    for n, word in enumerate(("<b>", "stick", "to")):
        assert text(root, f"word{n}") == word
        assert f"translate({COLUMNS[n]}px" in part(root, f"word{n}").get("style")


def test_filters_stand_under_their_letters():
    """Catches a bar one slot off, and the favourites of another filter."""
    fired = [Fired(9 - n, 3, n, "abc", 3.0 - n / 3) for n in range(FILTERS)]
    spelled = LetterView(
        "cost$", [*"⟨cost$⟩"], fired, 1, [("abc", "abcd", 2.5)], [("coast", 0.875)], False, "Cut."
    )
    drawing = LetterDrawing()
    words = drawing.show(spelled)
    assert [box.get_x() for box in drawing.boxes] == pytest.approx(np.arange(FILTERS) - 0.45)
    assert drawing.boxes[0].get_width() == pytest.approx(2.9)
    assert drawing.boxes[1].get_facecolor() != drawing.boxes[0].get_facecolor()
    assert "filter 8 likes" in drawing.lists[0].get_text()
    assert "abcd" in drawing.lists[0].get_text()
    assert "coast  0.88" in drawing.lists[1].get_text()
    assert "never read in training" in words
    assert words.endswith("Cut.")
    drawing.figure.canvas.draw()


def test_a_layer_names_what_is_nearest():
    """Catches a token that is most like itself, and a row of another token."""
    cosines = np.array([[1, 0.25, 0.5], [0.25, 1, -0.125], [0.5, -0.125, 1]])
    drawing = LayerDrawing()
    words = drawing.show(LayerView(["May", "we", "may"], cosines, 1, 0))
    assert "layer 1: May is most like may" in words
    assert "0.21 on average" in words
    assert [t.get_text() for t in drawing.values[:4]] == ["1.00", "0.25", "0.50", ""]
    alone = drawing.show(LayerView(["May"], np.ones((1, 1)), 0, 0))
    assert "May is alone" in alone


def test_a_gap_says_every_side():
    """Catches sides exchanged, and a rank for a word that cannot be predicted."""
    words = ["peace", "war", "home", "once", "a", "an"]
    sides = {
        name: SideView(words[n:] + words[:n], np.array([0.5, 0.2, 0.1, 0.05, 0.02, 0.01]), n + 1, p)
        for n, (name, p) in enumerate({"left": 0.5, "right": 0.25, "both": 0.125}.items())
    }
    drawing = GapDrawing()
    said = drawing.show(GapView(["at", "peace", "now"], 1, True, sides))
    assert "at ___ now" in said
    assert "from the right 'war' with 50% (the word itself is no. 2 with 25%)" in said
    assert drawing.heads["both"].get_text() == "both together: no. 3"
    assert drawing.bars["left"][0].get_width() == 0.5
    strange = drawing.show(GapView(["at", "xyz", "now"], 1, False, sides))
    assert strange.count("is not one that it can predict") == 3


def test_a_mix_shows_shares_and_sum():
    """Catches weights drawn before the softmax, and gamma drawn twice."""
    layers = np.arange(3 * SHOWN, dtype=float).reshape(3, SHOWN) / 20
    shares, ones = np.array([0.25, 0.5, 0.25]), np.ones(3)
    mix = MixView("stick", np.array([0.0, 0.69, 0.0]), shares, 2.0, layers, ones)
    drawing = MixDrawing()
    words = drawing.show(mix)
    assert [bar.get_height() for bar in drawing.bars] == [0.25, 0.5, 0.25]
    expected = 2 * (0.25 * layers[0] + 0.5 * layers[1] + 0.25 * layers[2])
    np.testing.assert_allclose(drawing.line.get_ydata(), expected)
    assert "50% of layer 1, γ = 2.0" in words
    even = mix._replace(shares=np.full(3, 1 / 3))
    assert "all layers equal" in drawing.show(even)


def test_sight_leaves_white_what_is_exactly_zero():
    """Catches a scale on which a small gradient looks like none."""
    sight = np.tril(np.full((3, 3), 1e-9)) + np.eye(3)
    plot = plot_sight(Sights(["a", "b", "c"], {"forward": sight, "naive": sight + 0.5}))
    image = plot.figure.axes[0].images[0].get_array()
    assert np.ma.getmaskarray(np.ma.masked_invalid(image)).sum() == 3
    assert "forward: an output feels any input by at most 1;" in plot.words
    assert "a later one by 0, an earlier one by 10⁻⁹" in plot.words
