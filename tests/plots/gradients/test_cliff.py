"""The headline of the cliff compares what the two walks do at it."""

from __future__ import annotations

import numpy as np

from course_utils.plots.gradients.cliff import (
    CliffDrawing,
    Descent,
    Descents,
    Surface,
    plot_cliff,
)


def test_the_headline_compares_the_longest_jumps():
    """Catches walks that are swapped, the sum of all jumps, and what lies beyond the numbers."""
    w, b = np.linspace(0, 4, 7), np.linspace(0, 4, 5)
    drawing = CliffDrawing(Surface(w, b, np.full((5, 7), 0.5)))
    finite, lost = np.array([0.5, 0.4, 0.3]), np.array([0.5, 0.4, np.nan])
    clipped = Descent(np.array([1.0, 1.3, 1.3]), np.array([1.0, 1.4, 1.5]), finite, finite)
    free = Descent(np.array([1.0, 4.0, 1e300]), np.array([1.0, 5.0, 0.0]), lost, finite)
    drawing.show(Descents(clipped, free))
    assert drawing.headline.get_text() == "The longest jump: 0.5 with clipping, 5 without"


def test_the_wall_is_drawn_where_the_gradient_is_longest():
    """Catches a row of the grid beside the wall, whose gradient is short everywhere."""
    w, b = np.linspace(3, 6, 7), np.linspace(-3, -1, 5)
    norms = np.full((5, 7), 0.01)
    norms[1, 4] = 250.0
    plot = plot_cliff(w, b, np.full((5, 7), 0.5), norms)
    (line,) = plot.figure.axes[1].get_lines()
    assert line.get_ydata().max() == 250
    assert "at bias −2.5" in plot.words
    assert "rises to 250 at weight 5" in plot.words
