"""Labels that probes are asked for."""

from __future__ import annotations

from course_utils.data.tagging.examples import Example
from course_utils.data.tagging.probed import control_numbers, tag_numbers

PARTS = [[Example(["a", "b", "a"], ["X", "Y", "X"])], [Example(["b", "c"], ["Y", "Z"])]]


def test_a_tag_is_one_number_in_all_parts():
    """Catches parts that are numbered each for itself."""
    assert [part.tolist() for part in tag_numbers(PARTS)] == [[0, 1, 0], [1, 2]]


def test_a_word_keeps_its_control_label():
    """Catches a control that draws anew for every token, which nobody could learn."""
    first, second = control_numbers(PARTS, 5)
    assert first[0] == first[2]
    assert first[1] == second[0]
    assert len({tuple(control_numbers(PARTS, seed)[0].tolist()) for seed in range(20)}) > 2
