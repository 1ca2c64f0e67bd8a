"""The pictures of counters show the cells, letters and verdicts that they are given."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from course_utils.plots.counting.arms import (
    Slopes,
    Walls,
    plot_arms,
    plot_settling,
    plot_slopes,
    plot_walls,
)
from course_utils.plots.counting.cells import (
    Cells,
    CellsDrawing,
    TwoNetworks,
    in_powers,
    plot_cells,
    runs_of,
)
from course_utils.plots.counting.gates import HandDrawing, SetByHand
from course_utils.plots.counting.reading import OneReading, ReadingDrawing
from course_utils.plots.counting.rounded import RoundedCount, RoundedDrawing


def two(text="aaabbb", accepted=(True, False), belongs=True):
    steps = np.arange(len(text) + 1)
    climbing = np.column_stack([0.1 * steps, 3 - np.abs(steps - 3.0)])
    flat = np.column_stack([np.tanh(steps), np.zeros(len(steps)), -np.tanh(steps)])
    return TwoNetworks(
        text,
        Cells("LSTM", climbing, (1,), accepted[0], None),
        Cells("GRU", flat, (0, 2), accepted[1], 5),
        belongs,
    )


def test_each_panel_shows_its_own_cells_and_verdict():
    """Catches counters of the other network, a verdict that is not turned by a near miss."""
    drawing = CellsDrawing()
    words = drawing.show(two())
    left, right = drawing.panels
    np.testing.assert_allclose(left.counters[0].get_data()[1], [0, 1, 2, 3, 2, 1, 0])
    assert len(left.counters[1].get_data()[0]) == 0
    np.testing.assert_allclose(right.counters[1].get_data()[1], -np.tanh(np.arange(7)))
    assert len(left.cells.get_segments()) == 2
    assert len(right.cells.get_segments()) == 3
    assert left.ax.get_ylim()[1] > 3
    assert right.ax.get_ylim()[1] >= 1
    assert left.headline.get_text() == "✓ LSTM accepts it"
    assert right.headline.get_text() == "✗ GRU refuses it"
    assert words.startswith("a³ b³.")
    assert "cell 2 reaches 3 and ends at 0" in words
    assert "is first wrong after 5 letters" in words
    drawing.show(two(belongs=False))
    assert left.headline.get_text() == "✗ LSTM accepts it"
    assert right.headline.get_text() == "✓ GRU refuses it"


def test_letters_stand_over_their_runs():
    """Catches a turn that is one letter late, and letters of the text before."""
    drawing = CellsDrawing()
    drawing.show(two("aaabbb"))
    panel = drawing.panels[0]
    assert [line[0, 0] for line in panel.turns.get_segments()] == [3]
    seen = {t.get_text(): t.get_position()[0] for t in panel.letters if t.get_text()}
    assert seen == {"a": 1.5, "b": 4.5}
    drawing.show(two("abababab"))
    assert not any(text.get_text() for text in panel.letters)


def test_a_long_text_keeps_its_turn():
    """Catches a thinned line that cuts off the top of the triangle."""
    n = 1000
    cell = (n - np.abs(np.arange(2 * n + 1) - n)).astype(float)[:, None]
    seen = Cells("LSTM", cell, (0,), True, None)
    drawing = CellsDrawing()
    drawing.show(TwoNetworks("a" * n + "b" * n, seen, seen))
    x, y = drawing.panels[0].counters[0].get_data()
    assert len(x) < 520
    assert y.max() == n
    assert (y[0], y[-1]) == (0, 0)


def test_runs_are_written_as_powers():
    """Catches a last run that is lost, and a text of one letter."""
    assert runs_of("aabccc") == [("a", 2), ("b", 1), ("c", 3)]
    assert in_powers(runs_of("aabccc")) == "a² b c³"
    assert in_powers([]) == "the empty text"
    assert in_powers(runs_of("ab" * 9)).endswith("…")


def test_a_rounded_count_stands_beside_the_exact_one():
    """Catches an exact line that is rounded too, and a verdict of another n."""
    cell = np.array([0.0, 1, 2, 2, 1, 0, -1])
    drawing = RoundedDrawing()
    words = drawing.show(RoundedCount(3, 1, 1.0, cell, False, 2))
    np.testing.assert_allclose(drawing.cell.get_ydata(), cell)
    np.testing.assert_allclose(drawing.exact.get_ydata(), [0, 1, 2, 3, 2, 1, 0])
    assert drawing.end.get_ydata() == [-1]
    assert drawing.headline.get_text() == "1 significant bits: a³ b³ is refused"
    assert "reaches 2 where 3 is right, and ends at −1" in words


def test_a_cell_by_hand_stands_beside_a_perfect_one():
    """Catches a perfect line of another step, and a headline of another n."""
    drawing = HandDrawing()
    cell = np.array([0.0, 0.5, 0.9, 0.3, -0.2])
    words = drawing.show(SetByHand(2, cell, 0.5, -0.6, 1, 500))
    np.testing.assert_allclose(drawing.perfect.get_ydata(), [0, 0.5, 1, 0.5, 0])
    assert drawing.headline.get_text() == "It counts up to n = 1"
    assert "after a² b² at −0.2" in words
    drawing.show(SetByHand(2, cell, 0.5, -0.6, 0, 500))
    assert "does not count" in drawing.headline.get_text()
    drawing.show(SetByHand(2, cell, 0.5, -0.6, 500, 500))
    assert "the largest tried" in drawing.headline.get_text()


def test_wrong_predictions_are_marked_where_they_are():
    """Catches allowed too much and too little exchanged, and axes turned round."""
    says = np.array([[0, 1, 0], [0, 1, 1], [1, 0, 1]], bool)
    truth = np.array([[0, 1, 0], [0, 1, 1], [1, 1, 0]], bool)
    drawing = ReadingDrawing()
    seen = OneReading("GRU", "ab", "⊣ab", np.zeros((3, 2)), (0,), says, truth, None, True)
    words = drawing.show(seen)
    assert [*zip(*drawing.extra.get_data(), strict=True)] == [(2, 2)]
    assert [*zip(*drawing.missing.get_data(), strict=True)] == [(2, 1)]
    assert len(drawing.right.get_data()[0]) == 4
    assert [tick.get_text() for tick in drawing.strip.get_yticklabels()] == ["⊣", "a", "b"]
    assert "At 1 of 3 steps it is wrong" in words
    assert "refuses letter 2, b" in drawing.show(seen._replace(refused_after=1))
    assert "does not allow the end" in drawing.show(seen._replace(refused_after=2))
    assert drawing.headline.get_text().startswith("✗")


class Told(NamedTuple):
    """A text as somebody read it."""

    text: str
    states: np.ndarray
    accepted: bool
    first_mistake: int | None


def test_networks_stand_side_by_side_with_their_names():
    """Catches one network's text under another's name."""
    seen = two()
    told = (
        ("LSTM", Told("aaabbb", seen.left.states, True, None)),
        ("GRU", Told("ab", seen.right.states[:3], False, 1)),
    )
    plot = plot_cells(told)
    assert len(plot.figure.axes) == 2
    assert plot.words.startswith("a³ b³. The LSTM accepts it, rightly")
    assert "a b. The GRU refuses it, wrongly, and is first wrong after 1 letters" in plot.words


def test_every_seed_is_a_dot_and_half_of_them_a_bar():
    """Catches a median of another arm, and a seed of 0 that a logarithm loses."""
    plot = plot_arms({"one": [0, 30, 40], "two": [500, 100, 300]}, 30, 500, "Title")
    dots = [line for line in plot.ax.lines if line.get_marker() == "o"]
    assert [sorted(line.get_xdata()) for line in dots] == [[1, 30, 40], [100, 300, 500]]
    bars = [line.get_xdata()[0] for line in plot.ax.lines if line.get_linewidth() == 3]
    assert bars == [30, 300]
    assert "two: 100 to 500, median 300" in plot.words


def test_a_long_headline_fits_above_arms_with_long_names():
    """Catches "gates that lear", cut off at the picture's right edge."""
    says = "A forget gate fixed at 1 keeps counting; gates that learn, less far"
    figure = plot_arms({"forget gate fixed at 1": [1, 2], "two": [1, 2]}, 30, 500, says).figure
    figure.draw_without_rendering()
    (line,) = [text for text in figure.axes[0].texts if text.get_text() == says]
    box = line.get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= figure.bbox.width


def test_a_state_that_stands_still_is_drawn():
    """Catches a 0 that a logarithmic axis cannot show."""
    plot = plot_settling({"a": np.array([1.0, 0.0]), "b": np.array([2.0, 2.0])}, "Title")
    assert plot.ax.lines[0].get_ydata().tolist() == [1, 1e-9]
    assert "b 2 at the first a and 2 at number 2" in plot.words


def test_a_cell_stands_where_its_letters_take_it():
    """Catches a and b exchanged, a needed cell without its name, cells that hide each other."""
    cells = {
        "cell 1": Slopes(1.0, -0.99, straight=True, needed=False),
        "cell 2": Slopes(0.99, -1.0, straight=True, needed=True),
        "cell 3": Slopes(0.0, -1.0, straight=False, needed=False),
    }
    plot = plot_slopes(cells, "One is needed")
    assert "cell 2 +0.99 and −1.00, needed; cell 3 +0.00 and −1.00, no line." in plot.words
    shown = [text.get_text() for text in plot.ax.texts]
    assert {"cell 2: needed", "2 cells"} <= set(shown)
    hollow = [line for line in plot.ax.lines if line.get_markerfacecolor() == "none"]
    assert [line.get_xdata()[0] for line in hollow] == [0.0]


def test_a_wall_is_a_ring_and_a_dot():
    """Catches theory drawn as measurement, and a format in another's row."""
    adding = Walls("adds", {"float32": 10, "float16": 5}, {"float32": 9, "float16": 5})
    plot = plot_walls([adding, adding._replace(network="halves")], "Walls")
    dots, rings = plot.ax.lines
    assert list(dots.get_xdata()) == [9, 5]
    assert list(rings.get_xdata()) == [10, 5]
    assert rings.get_markerfacecolor() == "none"
    assert "adds: float32 10 and 9, float16 5 and 5; halves:" in plot.words
    assert [text.get_text() for text in plot.ax.texts] == ["9", "5"]
