"""Pictures of lecture 10 show their data and say it."""

from __future__ import annotations

import numpy as np

from course_utils.plots.using_elmo import bars
from course_utils.plots.using_elmo.curves import Curves, CurvesDrawing
from course_utils.plots.using_elmo.neighbours import Concordance, ConcordanceDrawing, Line


def test_errors_are_drawn_from_before_to_after():
    """Catches scores drawn in the place of errors."""
    plot = bars.plot_errors(
        bars.Errors(
            ["A", "B"], np.array([20.0, 9.0]), np.array([15.0, 6.0]), np.array([25.0, 33.3])
        )
    )
    assert [bar.get_width() for bar in plot.ax.patches] == [20, 9, 15, 6]
    assert "A from 20.0 to 15.0, 25.0% less" in plot.words


def test_curves_show_medians_and_all_seeds():
    """Catches means in the place of medians, and a gain over another baseline."""
    words = np.array([[0.5, 0.6, 0.9], [0.7, 0.8, 0.9]])
    elmo = words + np.array([[0.05, 0.01, 0.0], [0.01, 0.02, 0.04]])
    data = Curves("T", (20, 500), {"words": words, "elmo": elmo}, gain=True)
    drawing = CurvesDrawing()
    words = drawing.show(data)
    (line,) = (x for x in drawing.ax.lines if x.get_label() == "+ ELMo" and x.get_visible())
    np.testing.assert_allclose(line.get_ydata(), [0.01, 0.02])
    assert "T, gain over words only, medians of 3 seeds" in words
    both = drawing.show(data._replace(gain=False))
    assert "words only 0.600 and 0.800; + ELMo 0.610 and 0.820" in both


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
