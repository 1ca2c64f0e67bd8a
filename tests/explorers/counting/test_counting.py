"""The explorers of lecture 05 show what the networks do, at every end of their sliders."""

from __future__ import annotations

import pytest

from course_utils.analysis.counting.acceptance import accepts
from course_utils.data.counting import POWERS_OF_TWO
from course_utils.explorers.counting.cells import counters_of, shipped_counter, two_networks
from course_utils.explorers.counting.gates import LIMIT, set_by_hand
from course_utils.explorers.counting.precision import OWN, rounded_count
from course_utils.explorers.counting.reading import READERS, SAMPLE, one_reading


@pytest.mark.parametrize("ending", ["", "few", "many"])
def test_the_verdicts_are_those_of_the_shipped_networks(ending):
    """Catches the two networks exchanged, a text that is not what its name says."""
    for n in (3, 130):
        seen = two_networks("ab", n, ending)
        assert len(seen.text) == 2 * n + {"": 0, "few": -1, "many": 1}[ending]
        assert seen.belongs is (ending == "")
        for side, cell in ((seen.left, "lstm"), (seen.right, "gru")):
            assert side.accepted == accepts(shipped_counter("ab", cell), POWERS_OF_TWO, seen.text)
        assert seen.left.accepted is seen.belongs
    assert abs(seen.left.states[130, seen.left.counters[0]]) > 120
    assert abs(seen.right.states).max() <= 1


def test_three_letters_have_two_counters():
    """Catches one cell drawn twice."""
    assert len(counters_of("ab", "lstm")) == 1
    assert len(set(counters_of("abc", "lstm"))) == 2


@pytest.mark.parametrize("reader", READERS.values())
def test_every_reader_has_a_text_of_its_own(reader):
    """Catches a sample that is no member, and another network's alphabet."""
    seen = one_reading(reader, SAMPLE[reader[0]])
    assert seen.belongs
    assert seen.text == SAMPLE[reader[0]]
    assert seen.refused_after is None or reader[1] == "gru"
    other = "()()" if reader[0].startswith("a") else "aabb"
    assert one_reading(reader, other).text == SAMPLE[reader[0]]
    assert one_reading(reader, " ").text == ""


def test_a_power_is_written_out():
    """Catches a^12 read as a letter ^, a space that parts two runs, a number without end."""
    assert one_reading(("ab", "lstm"), "a^12 b^3 b").text == "a" * 12 + "b" * 4
    with pytest.raises(ValueError, match="room for 400"):
        one_reading(("ab", "lstm"), f"a^{10**12}")


def test_a_stranger_and_a_long_text_are_refused_in_words():
    """Catches a KeyError, and a picture of thousands of letters."""
    with pytest.raises(ValueError, match="'x' is not a letter of this language"):
        one_reading(("ab", "lstm"), "aaxbb")
    with pytest.raises(ValueError, match="this text is longer"):
        one_reading(("ab", "lstm"), "a" * 250 + "b" * 250)


def test_a_format_decides_the_bits():
    """Catches a slider of bits that changes float16."""
    assert rounded_count("bfloat16", 3, 1.0, 10).bits == 8
    assert rounded_count(OWN, 3, 1.0, 8).accepted
    assert not rounded_count(OWN, 3, 1.0, 9).accepted


def test_the_gates_count_when_they_are_at_their_ends():
    """Catches a start that counts already, and a solution that the sliders cannot reach."""
    assert 0 < set_by_hand(2.0, 0.0, 1.0, -0.5, 20).longest < 20
    assert set_by_hand(20.0, 0.0, 1.0, -1.0, 20).longest == LIMIT
