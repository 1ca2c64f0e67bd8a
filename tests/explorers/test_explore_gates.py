"""What the explorers of lectures 03 and 04 show is what the networks do."""

from __future__ import annotations

import numpy as np
import pytest

from course_utils.explorers import explore_graves, explore_highway, explore_latch
from course_utils.explorers.comparison import unit_in_two_conventions
from course_utils.explorers.gates import (
    highway_of_random_networks,
    preservation_by_gates,
    story_of_a_latch,
)


def test_tighter_gates_keep_the_bit_longer():
    """Catch a decay that starts at the wrong step, and bits counted by their size."""
    story = story_of_a_latch(0, 12.0, 1.0, 1000)
    assert story.right == 8
    assert story.cells.shape == (1001, 8)
    quiet = story_of_a_latch(1, 5.0, 0.0, 300)
    np.testing.assert_allclose(quiet.cells, np.tile(quiet.kept[:, None], 8), rtol=1e-12)


def test_shades_are_shares_of_the_first_input():
    """Catch shades of the gates' values: an open output gate shows nothing of an erased memory."""
    picture = preservation_by_gates("o----", "-o-oo", "-o--o", 20.0)
    np.testing.assert_allclose(picture.memory, [1, 1, 0, 0, 0], atol=1e-6)
    assert picture.output[1] > 0.1
    assert picture.output[[0, 2, 3, 4]].max() < 1e-6
    half = preservation_by_gates("o--", "-oo", "ooo", 1.0)  # weak gates: part of it, ever less
    assert 0.74 > half.memory[0] > half.memory[1] > half.memory[2] > 0.2


def test_a_keep_bias_lifts_both_gated_networks_and_leaves_elman():
    """Catch the bias set on a cached network that others still use."""
    low, high = (highway_of_random_networks(bias, 1.0, 100) for bias in (0.0, 3.0))
    again = highway_of_random_networks(0.0, 1.0, 100)
    for name in ("elman", "gru", "lstm", "f"):
        np.testing.assert_array_equal(getattr(low, name), getattr(again, name))
    np.testing.assert_array_equal(low.elman, high.elman)
    assert high.lstm[99] > 1e10 * low.lstm[99]
    assert high.gru[99] > 1e10 * low.gru[99]


@pytest.mark.parametrize("explore", [explore_graves, explore_highway, explore_latch])
def test_numbers_stand_beside_the_picture(explore):
    """Catch a table whose columns and headers do not match."""
    explorer = explore()
    table = explorer.tabulate(explorer.data)
    assert {len(row) for row in table.rows} == {len(table.headers)}
    explorer.close()


def test_stories_without_room_are_refused():
    """Catch steps drawn outside the picture."""
    with pytest.raises(ValueError, match="fewer letters"):
        preservation_by_gates("o" * 13, "o", "o", 5.0)


@pytest.mark.parametrize("reset", ["after", "before"])
@pytest.mark.parametrize("convert", [True, False])
@pytest.mark.parametrize("update", ["keep", "renew"])
def test_only_the_update_gate_converts(update, convert, reset):
    """Catch a conversion of what already keeps, and a toggle that hides a real difference."""
    pair = unit_in_two_conventions(update, reset, convert, unit=3)
    same = reset == "after" and (convert or update == "keep")
    assert (pair.largest < 1e-12) is same
    assert same or pair.largest > 0.1
