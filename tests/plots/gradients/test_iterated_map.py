"""The picture of the iterated map marks where a step changes nothing."""

from __future__ import annotations

import numpy as np
import pytest

from course_utils.explorers.gradients.iterated_map import maps_of_a_unit
from course_utils.plots.gradients.iterated_map import IteratedMapDrawing, fixed_points


@pytest.mark.parametrize("weight", [-2.3, 0.8, 1.7])
@pytest.mark.parametrize("bias", [-0.3, 0.0, 0.47])
def test_fixed_points_stay_and_have_the_slope_of_the_map(weight, bias):
    """Catches points beside the crossing, a crossing on the grid counted twice, wrong slopes."""
    points = np.linspace(-2, 2, 401)
    places, slopes = fixed_points(points, np.tanh(weight * points + bias))
    np.testing.assert_allclose(np.tanh(weight * places + bias), places, atol=1e-4)
    np.testing.assert_allclose(slopes, weight * (1 - places**2), atol=1e-3)
    fine = np.linspace(-2, 2, 100_000)  # no crossing falls on this grid
    crossings = np.count_nonzero(np.diff(np.sign(np.tanh(weight * fine + bias) - fine)))
    assert len(places) == crossings


def test_a_map_that_moves_nothing_marks_nothing():
    """Catches four hundred points on the diagonal."""
    points = np.linspace(-2, 2, 401)
    assert fixed_points(points, points)[0].size == 0


def test_what_pulls_and_what_pushes_are_told_apart():
    """Catches the middle of a switch marked as a place where states end."""
    drawing = IteratedMapDrawing()
    drawing.show(maps_of_a_unit("tanh", 2.0, 0.0, 5, 1.5))
    np.testing.assert_allclose(drawing.pushing.get_xdata(), [0], atol=1e-12)
    np.testing.assert_allclose(drawing.pulling.get_xdata(), [-0.9575, 0.9575], atol=1e-4)
    assert "32 times" in drawing.headline.get_text()
    drawing.show(maps_of_a_unit("tanh", 0.8, 0.0, 50, 1.5))
    np.testing.assert_allclose(drawing.pulling.get_xdata(), [0], atol=1e-12)
    assert drawing.pushing.get_xdata().size == 0
    assert "all starts have met" in drawing.headline.get_text()
