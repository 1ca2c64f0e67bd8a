"""Shades are what the network still feels of its first input."""

from __future__ import annotations

import numpy as np
import pytest

from course_utils.explorers.gates.preservation import preservation_by_gates


def test_shades_are_shares_of_the_first_input():
    """Catches shades of the gates' values: an open output shows nothing of an erased memory."""
    picture = preservation_by_gates("o----", "-o-oo", "-o--o", 20.0)
    np.testing.assert_allclose(picture.memory, [1, 1, 0, 0, 0], atol=1e-6)
    assert picture.output[1] > 0.1
    assert picture.output[[0, 2, 3, 4]].max() < 1e-6
    half = preservation_by_gates("o--", "-oo", "ooo", 1.0)  # weak gates: part of it, ever less
    assert 0.74 > half.memory[0] > half.memory[1] > half.memory[2] > 0.2


def test_stories_without_room_are_refused():
    """Catches steps drawn outside the picture."""
    with pytest.raises(ValueError, match="fewer letters"):
        preservation_by_gates("o" * 13, "o", "o", 5.0)
