"""The bias of the highway moves the two gated networks alone."""

from __future__ import annotations

import numpy as np

from course_utils.explorers.gates.highway import highway_of_random_networks


def test_a_keep_bias_lifts_both_gated_networks_and_leaves_elman():
    """Catches the bias set on a cached network that others still use."""
    low, high = (highway_of_random_networks(bias, 1.0, 100) for bias in (0.0, 3.0))
    again = highway_of_random_networks(0.0, 1.0, 100)
    for name in ("elman", "gru", "lstm", "f"):
        np.testing.assert_array_equal(getattr(low, name), getattr(again, name))
    np.testing.assert_array_equal(low.elman, high.elman)
    assert high.lstm[99] > 1e10 * low.lstm[99]
    assert high.gru[99] > 1e10 * low.gru[99]
