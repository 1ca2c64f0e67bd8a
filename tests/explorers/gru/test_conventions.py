"""The explorer of conventions tells the same network from another."""

from __future__ import annotations

import pytest

from course_utils.explorers.gru.conventions import unit_in_two_conventions


@pytest.mark.parametrize("reset", ["after", "before"])
@pytest.mark.parametrize("convert", [True, False])
@pytest.mark.parametrize("update", ["keep", "renew"])
def test_only_the_update_gate_converts(update, convert, reset):
    """Catches a conversion of what already keeps, and a toggle that hides a real difference."""
    pair = unit_in_two_conventions(update, reset, convert, unit=3)
    same = reset == "after" and (convert or update == "keep")
    assert (pair.largest < 1e-12) is same
    assert same or pair.largest > 0.1
