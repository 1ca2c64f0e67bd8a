"""What the deck makes of hands and of a room's numbers, run by node beside Python's own reading."""

from __future__ import annotations

import pytest

from course_utils.numbers import number, read_number
from tests.pages.in_node import in_node

WRITTEN = [
    *("1e-3", "0.001", "1/1000", "0,001", ".001", "10^-3", "10⁻³", "6*10**-13", "6E-13", "3,000"),
    *(
        "3000.0",
        "-0.5",
        "−0.5",
        "-1/2",
        "20%",
        "1/0",
        "1e999",
        "100,5",
        "1,234,567.5",
        "ten",
        "h50",
    ),
]


def test_deck_and_lectures_read_the_same_numbers():
    """Catches a grammar of numbers that was changed in one language only."""
    found = in_node("console.log(JSON.stringify(given.map(votes.readNumber)));", WRITTEN)
    assert found == [pytest.approx(read_number(text)) for text in WRITTEN]


@pytest.mark.parametrize(
    ("typed", "numbers", "unread"),
    [
        ("0.5 x3 1e-3", [0.5, 0.5, 0.5, 0.001], []),
        ("0.5 ×3, 1/4; 7", [0.5, 0.5, 0.5, 0.25, 7], []),
        ("3 x 2", [3, 3], []),
        ("3 x0 4", [4], []),
        ("x3 5 many 1e999", [5], ["x3", "many", "1e999"]),
        ("1 x9999 2", [1, 2], ["x9999"]),
        ("", [], []),
    ],
)
def test_hands_are_read_as_they_are_called(typed, numbers, unread):
    """Catches a count that becomes a guess, a slip that is swallowed, a page full of dots."""
    found = in_node("console.log(JSON.stringify(votes.readHands(given)));", typed)
    assert found == {"numbers": numbers, "unread": unread}


SENTENCES = "console.log(JSON.stringify(given.map(([n, m]) => votes.inWords(n, m))));"


def test_what_is_said_of_numbers_is_true():
    """Catches a mean for a median, and a factor of ten that counts one side or not its ends."""
    given = [[[0.1, 1, 10, 100, 5000], 10], [[1, 2], None], [[3], -1], [[], 1], [[0, 0.1], 0]]
    assert in_node(SENTENCES, given) == [
        "5 guesses, median 10, 3 within a factor of ten",
        "2 guesses, median 1.5",
        "1 guess, median 3",
        "0 guesses",
        "2 guesses, median 0.05",
    ]


def test_numbers_look_in_the_deck_as_in_the_lectures():
    """Catches 6e-13 on the wall."""
    values = [6e-13, 0.0017, 586_000, -12.6, 1e-4, 3e9, 0, 1e7, 1e-5, 0.5, 99_999_999]
    found = in_node("console.log(JSON.stringify(given.map(votes.people)));", values)
    assert found == [number(value).replace("\u00a0", " ") for value in values]


AXIS = """
const { at, ticks, isLog } = votes.axis(given);
const dots = votes.stacked(given, at, 90);
console.log(JSON.stringify({ places: given.map(at), ticks: ticks.map(at), isLog, dots }));
"""


@pytest.mark.parametrize(
    ("values", "is_log"),
    [
        ([6e-13, 0.5, 0.1, 1e-3], True),
        ([1e-300, 1, 1e300], True),
        ([0, 0.001, 1, 5, -2], True),
        ([1, 2, 3], False),
        ([0], False),
        ([-5, -5], False),
        ([0.30000000000000004], False),
        ([1e-9, 1.0000001e-9], False),
        ([50, -1, -2, -3], False),
    ],
)
def test_every_number_has_its_place_on_the_axis(values, is_log):
    """Catches a guess beside the wall, two at one place that should be apart, too many labels."""
    found = in_node(AXIS, values)
    assert found["isLog"] == is_log
    assert all(-1e-9 <= place <= 1 + 1e-9 for place in found["places"] + found["ticks"])
    assert 2 <= len(found["ticks"]) <= 12
    order = sorted(range(len(values)), key=values.__getitem__)
    places = [found["places"][at] for at in order]
    assert places == sorted(places)
    spots = [(dot["column"], dot["height"]) for dot in found["dots"]]
    assert len({*spots}) == len(values)
