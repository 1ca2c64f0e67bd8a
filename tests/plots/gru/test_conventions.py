"""The picture of two conventions shows what lies between them."""

from __future__ import annotations

import numpy as np

from course_utils.plots.gru.conventions import ConventionDrawing, TwoConventions


def test_the_difference_is_this_convention_minus_pytorch():
    """Catches the sign turned round, a name beside the wrong line, rounding called a difference."""
    steps, pytorch, gate = np.arange(1, 4), np.array([0.1, -0.5, 0.25]), np.array([0.2, 0.4, 0.75])
    drawing = ConventionDrawing()
    drawing.show(TwoConventions(steps, pytorch, np.array([0.1, 0.5, -0.75]), gate, 1.0))
    np.testing.assert_allclose(drawing.difference.get_ydata(), [0, 1, -1])
    np.testing.assert_allclose(drawing.state.get_ydata(), pytorch)
    ends = [text.xy[1] for text in drawing.names.texts.values()]
    np.testing.assert_allclose(ends, [2.25 / 4, 0.25])
    assert drawing.gate_name.texts["gate"].xy[1] == 0.75
    assert drawing.headline.get_text() == "A different network: its states differ by up to 1"
    drawing.show(TwoConventions(steps, pytorch, pytorch + 1e-15, gate, 2e-15))
    assert drawing.headline.get_text().startswith("The same network")
