"""What the explorer of the latch shows is what the network keeps."""

from __future__ import annotations

import numpy as np

from course_utils.explorers.gates.latch import story_of_a_latch


def test_tighter_gates_keep_the_bit_longer():
    """Catches a decay that starts at the wrong step, and bits counted by their size."""
    story = story_of_a_latch(0, 12.0, 1.0, 1000)
    assert story.right == 8
    assert story.cells.shape == (1001, 8)
    quiet = story_of_a_latch(1, 5.0, 0.0, 300)
    np.testing.assert_allclose(quiet.cells, np.tile(quiet.kept[:, None], 8), rtol=1e-12)
