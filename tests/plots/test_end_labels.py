"""Names at the ends of lines lie beside them and never on one another."""

from __future__ import annotations

import numpy as np
import pytest

from course_utils.plots.end_labels import EndLabels, spread
from course_utils.plots.style import new_axes

PLACES = [(0.5, 0.5, 0.49, 0.53), (1.0, 1.0, 0.2), (0.0, -3.0, 0.01), (0.1, 0.9, 0.5), (0.7,)]


@pytest.mark.parametrize("places", PLACES, ids=str)
def test_names_keep_their_order_and_their_distance(places):
    """Catches names on one another, beyond the axes, or swapped: a line under another's name."""
    moved = spread(places, 0.1)
    assert np.all(np.diff(np.sort(moved)) >= 0.1 - 1e-12)
    assert moved.min() >= 0
    assert moved.max() <= 1
    for i, one in enumerate(places):
        assert all(moved[i] < moved[j] for j, other in enumerate(places) if one < other)


def test_a_name_with_room_stays_beside_its_line():
    """Catches a spread that moves what nothing pushes."""
    np.testing.assert_allclose(spread([0.1, 0.9, 0.5, 0.52], 0.1)[:2], [0.1, 0.9])


def test_names_follow_the_scale_of_their_axes():
    """Catches heights taken for shares, and the name of one line beside another's end."""
    ax = new_axes()
    ax.set_ylim(2, 6)
    labels = EndLabels(ax, {"a": "A", "b": "B"}, {"a": "red", "b": "blue"})
    labels.show({"b": 3, "a": 5})
    assert [text.xy for text in labels.texts.values()] == [(1, 0.75), (1, 0.25)]
    assert [text.get_text() for text in labels.texts.values()] == ["A", "B"]


def test_names_find_their_lines_on_a_logarithmic_scale():
    """Catches powers of ten read as heights: all but the largest at the bottom."""
    ax = new_axes()
    ax.set(yscale="log", ylim=(1e-8, 1))
    labels = EndLabels(ax, {"a": "A", "b": "B"}, {"a": "red", "b": "blue"})
    labels.show({"b": 1e-6, "a": 1e-2})
    assert [text.xy[1] for text in labels.texts.values()] == pytest.approx([0.75, 0.25])
