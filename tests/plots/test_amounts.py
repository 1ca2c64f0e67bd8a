"""Bars and dots say the numbers that they were given."""

from __future__ import annotations

import pytest
from matplotlib.colors import to_hex

from course_utils.plots.amounts import plot_amounts, plot_powers
from course_utils.plots.style import BLUE, FAINT

DOUBTS = {"left": 300.0, "right": 290.0, "both": 95.0}


def test_the_best_amount_is_blue_and_bold():
    """Catches the largest as the winner where the least wins, and bars of another row."""
    plot = plot_amounts("Both win", "words", DOUBTS, "{:.0f}".format, best=min)
    assert [bar.get_width() for bar in plot.ax.patches] == [300, 290, 95]
    assert [to_hex(bar.get_facecolor()) for bar in plot.ax.patches] == [FAINT, FAINT, BLUE]
    assert [text.get_text() for text in plot.ax.texts if text.get_weight() == "bold"] == ["95"]
    assert plot.words == "Both win. words: left 300, right 290, both 95."


def test_without_a_winner_no_bar_stands_out():
    """Catches a winner where the numbers are only shown, and a level that is left out."""
    plot = plot_amounts("Two", "share", {"a": 0.0, "b": 0.5}, level=0.25, whole=1)
    assert len({bar.get_facecolor() for bar in plot.ax.patches}) == 1
    assert plot.ax.get_xlim() == (0, 1)
    assert [list(line.get_xdata()) for line in plot.ax.lines] == [[0.25, 0.25]]


def test_counted_things_have_whole_ticks():
    """Catches half a table of moves on the axis."""
    plot = plot_amounts("Few", "tables", {"one": 3, "two": 0})
    plot.figure.canvas.draw()
    assert all(tick.is_integer() for tick in plot.ax.get_xticks())


def test_shares_told_in_percent_stand_over_an_axis_in_percent():
    """Catches a bar that says 77% over an axis that says 0.75, and ticks at every 15%."""
    plot = plot_amounts("Seen", "share", {"2 words": 0.77, "12": 0.001}, "{:.0%}".format, whole=1)
    plot.figure.canvas.draw()
    ticks = [tick.get_text() for tick in plot.ax.get_xticklabels()]
    assert ticks == ["0%", "20%", "40%", "60%", "80%", "100%"]


def test_powers_lie_inside_their_axis():
    """Catches a linear axis, on which all but one lie at zero, and a dot at the edge."""
    plot = plot_powers("Far apart", "left", {"Elman": 1e-17, "GRU": 1e-3})
    assert plot.ax.get_xscale() == "log"
    low, high = plot.ax.get_xlim()
    assert low < 1e-17
    assert high > 1e-3
    assert [line.get_xdata()[0] for line in plot.ax.lines] == pytest.approx([1e-17, 1e-3])
    assert "Elman 10⁻¹⁷, GRU 0.001" in plot.words
