"""An explorer's picture depends on its controls alone, and nothing of it stays after closing."""

from __future__ import annotations

import gc

import ipywidgets
import pytest
from matplotlib.figure import Figure

from course_utils import explorers
from course_utils.explorers.machinery.controls import positions

EXPLORERS = [name for name in explorers.__all__ if name.startswith("explore_")]


@pytest.mark.parametrize("name", EXPLORERS)
def test_the_same_values_give_the_same_picture(name):
    """Would catch axes that jitter: a layout that starts from where the last one ended."""
    explorer = getattr(explorers, name)()
    at_start = explorer.image.value
    for control in explorer.controls.values():
        for value in positions(control):
            control.value = value
        explorer.reset()
        assert explorer.image.value == at_start, f"after moving {control.description}"
    explorer.close()


def test_closing_leaves_no_widget_and_no_figure():
    """Would catch the layouts and styles of widgets, which close() of a widget leaves open."""
    before = set(ipywidgets.widgets.widget._instances)
    explorer = explorers.explore_echo()
    figures = _figures()
    explorer.close()
    assert set(ipywidgets.widgets.widget._instances) == before
    assert _figures() == figures - 1


def _figures() -> int:
    gc.collect()
    return sum(type(thing) is Figure for thing in gc.get_objects())
