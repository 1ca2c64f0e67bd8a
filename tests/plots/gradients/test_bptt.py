"""Pictures of gradients by pairs of steps: a headline, a scale, arrows of time."""

from __future__ import annotations

import numpy as np

from course_utils.plots.gradients.bptt import BpttDrawing, PairNorms, plot_sensitivity


def test_the_headline_is_about_the_last_loss():
    """Catches a share of another row, of the far steps, or of nothing at all."""
    norms = np.ones((13, 13))
    norms[-1] = [30, *[1] * 12]
    drawing = BpttDrawing()
    drawing.show(PairNorms(norms))
    assert drawing.headline.get_text().startswith("24% of")  # ten ones of 42
    drawing.show(PairNorms(np.zeros((5, 5))))
    assert "zero" in drawing.headline.get_text()


def test_shades_have_a_scale_and_time_has_arrows():
    """Catches shades that mean something else than the scale says, arrows that point back."""
    sensitivity = np.outer(0.5 ** np.arange(5), [1.0, 0.4, 0.25])  # T=5, H=3
    figure = plot_sensitivity(sensitivity).figure
    picture, scale = figure.axes
    arrows, shades = picture.collections
    np.testing.assert_allclose(shades.get_array(), sensitivity.flatten())
    assert shades.colorbar.ax is scale
    assert shades.norm(0.25) == 0.5
    assert np.all(arrows.U > 0)
    assert len(arrows.U) == (5 - 1) * 3
    assert np.all(arrows.V == 0)
