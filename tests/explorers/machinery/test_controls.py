"""Controls stand where they are told to stand, and the page can tell which of them it may play."""

from __future__ import annotations

import pytest

from course_utils.explorers.machinery.controls import (
    choice,
    log_slider,
    playable,
    slider,
    stops,
    switch,
    text,
)
from tests.explorers.tour import positions


@pytest.mark.parametrize(
    ("step", "shown"), [(0.25, ".2f"), (0.5, ".1f"), (2.0, ".1f"), (1e-3, ".3f")]
)
def test_a_slider_shows_as_many_decimals_as_its_step_has(step, shown):
    """Catches read-outs that stand still while the slider moves, and zeros behind whole steps."""
    assert slider("x", 0.0, 8.0, 4.0, step).readout_format == shown


def test_whole_numbers_stay_whole():
    """Catches 3.0 where an explorer counts steps, and a whole slider for a start of 2.5."""
    assert type(slider("x", 1, 9, 3, 2).value) is int
    assert slider("x", 1, 9, 2.5, 1).value == 2.5


def test_a_log_slider_starts_at_its_power_of_ten():
    """Catches a start taken for the value itself, or for its negative."""
    control = log_slider("x", -4, 1, -2.3)
    assert control.value == pytest.approx(10**-2.3)
    assert positions(control) == pytest.approx([1e-4, 10])
    assert control.step == 0.1


def test_a_choice_starts_where_it_is_told():
    """Catches the first option shown where another one was asked for."""
    assert choice("x", [("one", 1), ("two", 2)], 2).value == 2
    assert choice("x", ["a", "b"]).value == "a"


def test_only_what_can_be_played_is_marked_for_the_page():
    """Catches a play button that no slider gets, or that a plain choice gets."""
    assert {"course-playable", "course-stops"} <= {*stops("x", ["a", "b"])._dom_classes}
    assert "course-playable" in playable(slider("x", 0, 5, 0, 1))._dom_classes
    assert "course-playable" not in choice("x", ["a", "b"])._dom_classes


def test_a_tour_visits_both_ends():
    """Catches a tour that never leaves the value a control starts with."""
    assert positions(switch("x", True)) == [False, True]
    assert positions(switch("x")) == [True, False]
    assert positions(stops("x", [("one", 1), ("two", 2), ("three", 3)])) == [1, 3]
    assert positions(slider("x", 0.5, 8.0, 4.0, 0.5)) == [0.5, 8.0]
    assert positions(text("x", "mine")) == ["", "mine"]
    assert not text("x", "mine").continuous_update
