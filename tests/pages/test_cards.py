"""Cards to hold up."""

from __future__ import annotations

import re

import pytest

from course_utils.pages.cards import cards_page


@pytest.mark.parametrize(
    ("asked", "letters"), [(2, "AB"), (4, "ABCD"), (5, "ABCDEF"), (6, "ABCDEF")]
)
def test_a_sheet_has_its_letters_each_in_a_colour(asked, letters):
    """Catches a letter left out, a sheet with a hole, two letters that look alike from afar."""
    page = cards_page(asked)
    assert re.findall(r"<span>(.)</span>", page) == [*letters]
    colours = re.findall(r"background-color:(#\w{6})", page)
    assert len({*colours}) == len(letters)
