"""The headline of the cliff compares what the two walks do at it."""

from __future__ import annotations

import numpy as np

from course_utils.plots.gradients.cliff import CliffDrawing, Descent, Descents, Surface


def test_the_headline_compares_the_longest_jumps():
    """Catches walks that are swapped, the sum of all jumps, and what lies beyond the numbers."""
    w, b = np.linspace(0, 4, 7), np.linspace(0, 4, 5)
    drawing = CliffDrawing(Surface(w, b, np.full((5, 7), 0.5)))
    finite, lost = np.array([0.5, 0.4, 0.3]), np.array([0.5, 0.4, np.nan])
    clipped = Descent(np.array([1.0, 1.3, 1.3]), np.array([1.0, 1.4, 1.5]), finite, finite)
    free = Descent(np.array([1.0, 4.0, 1e300]), np.array([1.0, 5.0, 0.0]), lost, finite)
    drawing.show(Descents(clipped, free))
    assert drawing.headline.get_text() == "The longest jump: 0.5 with clipping, 5 without"
