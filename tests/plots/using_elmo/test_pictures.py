"""Pictures of lecture 10 show their data and say it."""

from __future__ import annotations

import numpy as np

from course_utils.plots.using_elmo import bars
from course_utils.plots.using_elmo.board import NAMES, Board, BoardDrawing
from course_utils.plots.using_elmo.curves import Steps, plot_by_steps
from course_utils.plots.using_elmo.neighbours import Concordance, ConcordanceDrawing, Line


def test_errors_are_drawn_from_before_to_after():
    """Catches scores drawn in the place of errors, and a winner by points instead of shares."""
    plot = bars.plot_errors(
        bars.Errors(
            ["A", "B"], np.array([20.0, 9.0]), np.array([15.0, 6.0]), np.array([25.0, 33.3])
        )
    )
    assert [bar.get_width() for bar in plot.ax.patches] == [20, 9, 15, 6]
    assert "A from 20.0 to 15.0, 25.0% less" in plot.words
    assert plot.words.startswith("ELMo takes most off B's error, least off A's.")


def board(**changes):
    runs = {name: np.full(5, 0.5 + 0.05 * row) for row, name in enumerate(NAMES)}
    runs |= {name: np.full(5, right) for name, right in changes.items()}
    return Board("T", 50, "after 100 steps", runs, 0.6, "list of words")


def test_the_board_names_who_is_ahead_even_where_it_is_no_network():
    """Catches a winner of the board before, a list that is forgotten, a gain over another row."""
    drawing = BoardDrawing()
    said = drawing.show(board(elmo=0.9))
    assert drawing.headline.get_text() == (
        "Over a table: letters +10.0 points, context +25.0 on top"
    )
    assert "over letters, ELMo is 25.0 points ahead" in said
    assert "over its top layer alone, the mix is 15.0 points ahead" in said
    heavy = [text.get_text() for text in drawing.said if text.get_weight() == "bold"]
    assert heavy == ["0.900"]
    drawing.show(board(**dict.fromkeys(NAMES, 0.55)))
    assert drawing.headline.get_text() == "No network needed: list of words 5.0 points ahead"
    assert list(drawing.dots[0].get_xdata()) == [0.55] * 5


def test_a_line_is_the_mean_of_its_seeds():
    """Catches the line of one seed, and a name at another line's end."""
    right = np.array([[0.5, 0.7], [0.8, 0.9]])
    found = {"words": Steps([25, 50], right), "elmo": Steps([25, 50], right + 0.05)}
    plot = plot_by_steps("Faster", found, 0.85)
    np.testing.assert_allclose(plot.ax.lines[0].get_ydata(), [0.6, 0.85])
    assert "words alone: 25 steps 0.6, 50 steps 0.85; + ELMo, mixed: 25 steps 0.65" in plot.words


def test_neighbours_that_are_not_there_are_said():
    """Catches rows of an earlier word that stay on the page."""
    drawing = ConcordanceDrawing()
    asked = Line(["the"], "zebra", ["sleeps"], 1.0)
    found = [Line(["a", "b", "c", "d", "e"], "horse", [], 0.75)]
    assert "c d e [horse]" in drawing.show(Concordance(asked, found, "layer 1", "all words"))
    said = drawing.show(Concordance(asked, [], "layer 1", "0 uses", "a note"))
    assert said.startswith("layer 1: no other use of 'zebra'")
    assert said.endswith("(a note)")
    assert [row[3].get_visible() for row in drawing.rows] == [True] + 6 * [False]
