"""The picture of the gate walk: a line for the memory, every gate in its own colour."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from course_utils.plots.gates.equations import GateSum
from course_utils.plots.gates.strip import LEFT, RIGHT, columns_around, shades
from course_utils.plots.gates.walk import MEMORY, ROWS, GateView, GateWalkDrawing, flows_at
from course_utils.plots.style import look
from course_utils.plots.svg import SMALLEST, width_of
from tests.plots.gates.drawn import number, part, read, text

T, UNIT = 3, 5
LONG = ("a", "constitutional", "people", "of", "¶") * 9


def view(kind: str, t: int, stop: str, back: bool = False) -> GateView:
    """Return a unit whose rows are all different."""
    names = list(ROWS[kind])
    rows = {name: np.array([0.1, 0.5, 0.9]) * (n + 1) / len(names) for n, name in enumerate(names)}
    if kind == "lstm":
        rows["c"] = np.array([0.5, -2.5, 1.0])
    sums = dict.fromkeys(names, GateSum(0.1, 0.2, 0.3, 0.4))
    gradients = {name: 0.3 - row for name, row in rows.items()} if back else None
    return GateView(kind, ("the", "old", "keys"), rows, sums, UNIT, t, stop, gradients)


def shown(kind: str, t: int, stop: str, back: bool = False):
    """Return the picture of one stop as a page reads it."""
    walk = GateWalkDrawing()
    walk.show(view(kind, t, stop, back))
    return read(walk.scene.svg())


@pytest.mark.parametrize("gate", ["f", "i", "o", "z", "r"])
def test_a_gate_has_the_colour_of_the_drawing_above(gate):
    """Catches grey rows under a coloured cell, and scales that run from open to shut."""
    shut, half, wide = shades(gate, np.array([0.0, 0.5, 1.0]))
    np.testing.assert_allclose(shut, 1)
    np.testing.assert_allclose(wide, to_rgb(look(gate).colour))
    np.testing.assert_allclose(half, (shut + wide) / 2)


@pytest.mark.parametrize(("kind", "stop"), [("lstm", "cell"), ("gru", "state")])
def test_the_memory_is_a_line_on_a_numbered_scale(kind, stop):
    """Catches the hidden state drawn for the cell, a scale too small, a point at another word."""
    root, memory = shown(kind, 1, stop), view(kind, 1, stop).rows[MEMORY[kind]]
    top = 3 if kind == "lstm" else 1
    assert [text(root, f"limit{sign}") for sign in "+−"] == [f"+{top}", f"−{top}"]
    xs, ys = zip(*(map(float, at.split(",")) for at in part(root, "line").get("points").split()),
                 strict=True)  # fmt: skip
    zero = float(part(root, "zero").get("d").split()[1])
    heights = zero - np.array(ys)
    np.testing.assert_allclose(heights / heights[2], memory / memory[2], atol=0.05)
    assert number(root, "point", "cx") == pytest.approx(xs[1], abs=0.1)
    assert number(root, "point", "cy") == pytest.approx(ys[1], abs=0.1)


@pytest.mark.parametrize(
    ("kind", "stop", "row"),
    [("lstm", "input", "i"), ("lstm", "output", "o"), ("lstm", "cell", None), ("gru", "reset", "r"),
     ("gru", "candidate", "n"), ("gru", "state", None)],
)  # fmt: skip
def test_the_frame_stands_around_what_the_stop_fills(kind, stop, row):
    """Catches a frame one row too low, and one around another word."""
    root = shown(kind, 2, stop)
    frame = {name: number(root, "here", name) for name in ("x", "y", "height")}
    assert frame["x"] == number(root, "column", "x")
    if row is None:
        assert frame["y"] == number(root, "column", "y")
        assert text(root, "line-name").startswith(stop)
    else:
        cells = part(root, f"row-{row}")
        assert frame["y"] <= float(cells[0].get("y")) < frame["y"] + frame["height"]
        assert text(root, f"name-{row}").startswith(stop)


@pytest.mark.parametrize("t", [0, 7, 14, 29, 44])
def test_a_long_sentence_is_turned_over_page_by_page(t):
    """Catch words over the edge or over another, a word not on its page, pages that always move."""
    columns = columns_around(LONG, t)
    assert columns.first <= t < columns.first + len(columns.words)
    assert LEFT <= columns.edges[0] < columns.edges[-1] <= RIGHT + 0.1
    assert (np.diff(columns.edges) > [width_of(word) for word in columns.words]).all()
    again = columns_around(LONG, columns.first)
    assert again.words == columns.words
    assert columns.more == (columns.first + len(columns.words) < len(LONG))


def test_every_letter_can_be_read():
    """Catch labels smaller than the deck counts on; a formula's low letters belong to its line."""
    for kind, stop in (("lstm", "output"), ("gru", "candidate")):
        for back in (False, True):
            root = shown(kind, 1, stop, back)
            sizes = [float(one.get("font-size", SMALLEST)) for one in root.iter()
                     if one.tag.endswith("text")]  # fmt: skip
            assert min(sizes) >= SMALLEST


@pytest.mark.parametrize(("kind", "stop"), [("lstm", "output"), ("gru", "state")])
@pytest.mark.parametrize("back", [False, True])
def test_no_line_leaves_the_paper(kind, stop, back):
    """Catches words cut off at an edge, also where a gradient needs a power of ten."""
    data = view(kind, 1, stop, back)
    if back:
        tiny = {name: 3.8e-5 * row for name, row in data.gradients.items()}
        data = data._replace(gradients=tiny)
    walk = GateWalkDrawing()
    walk.show(data)
    for one in read(walk.scene.svg()).iter():
        if not one.tag.endswith("}text"):
            continue
        said = "".join(one.itertext())
        size = float(one.get("font-size", SMALLEST))
        start = float(one.get("style").split("(")[1].split("px")[0])
        wide = 0.95 * width_of(said, size)  # which is rather too wide
        left = start - wide * {"start": 0, "middle": 0.5, "end": 1}[one.get("text-anchor", "start")]
        assert left >= -1, said
        assert left + wide <= walk.width + 1, said


@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_the_way_back_begins_with_one_and_passes_the_next_gate(kind):
    """Catches a gradient that arrives through its own gate instead of the next word's."""
    back = view(kind, 2, "cell" if kind == "lstm" else "state", back=True)
    memory, keeper = MEMORY[kind], "f" if kind == "lstm" else "z"
    assert flows_at(back, 2)["new"] == 1
    arriving = back.gradients[memory][2] * back.rows[keeper][2]
    assert flows_at(back, 1)["new"] == pytest.approx(arriving)
    root = shown(kind, 1, "candidate", back=True)
    assert "∂J/∂" in text(root, "symbols")
    assert text(root, "line-name") == f"∂J/∂{memory}t"


def test_odd_words_stay_words():
    """Catches a word of the reader's taken for a tag, a formula or a control character."""
    odd = view("lstm", 0, "forget")._replace(words=("<b>&$x_t$", "\u202e\u0000a", '"{x}'))
    walk = GateWalkDrawing()
    walk.show(odd)
    root = read(walk.scene.svg())
    assert text(root, "word0") == "<b>&$x_t$"
    assert "\u202e" not in walk.scene.svg()
