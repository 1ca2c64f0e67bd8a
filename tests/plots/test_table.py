"""A drawn table: its numbers rounded, its texts escaped, each under its name."""

from __future__ import annotations

import re

import numpy as np
import pytest

from course_utils.plots.table import draw_table

ROWS = [("LSTM <64>", 0.98765, np.float32(3)), ("Elman", 12_345, -0.5)]


def test_a_table_shows_numbers_as_people_write_them():
    """Catches sixteen digits, and a name from data that becomes markup."""
    page = draw_table("Who & what", ("model", "right", "margin"), ROWS)._repr_html_()
    assert ">Who &amp; what</b>" in page
    assert "LSTM &lt;64&gt;" in page
    assert 'text-align:right">0.988</td>' in page
    assert 'text-align:right">−0.5</td>' in page
    assert page.count("<tr>") == 3


def test_a_table_reads_as_text():
    """Catches a page without HTML that shows an object's inside."""
    lines = repr(draw_table("Who", ("model", "right", "margin"), ROWS)).split("\n")
    assert lines == [
        "Who",
        "model      right  margin",
        "LSTM <64>  0.988  3",
        "Elman      12345  −0.5",
    ]


def test_only_a_sortable_table_asks_to_be_sorted():
    """Catches a header that can be pressed and does nothing, or loses the exact number."""
    plain, sortable = (draw_table("Who", ("a", "b", "c"), ROWS, on)._repr_html_() for on in (0, 1))
    assert "onclick" not in plain
    assert sortable.count('role="button"') == 3
    assert 'data-value="0.98765"' in sortable


def test_a_row_without_a_name_for_each_number_is_refused():
    """Catches numbers that stand under the wrong name."""
    with pytest.raises(ValueError, match="3 headers, and a row of 2"):
        draw_table("Who", ("a", "b", "c"), [(1, 2)])


def test_a_sentence_may_break_and_a_number_may_not():
    """Catches a table that is wider than its slide, and a number on two lines."""
    said = "The Federal Government means the level of all the people of this country"
    page = draw_table("Who", ("step", "it says"), [(300, said)])._repr_html_()
    assert re.search(rf"white-space:normal[^>]*>{said}", page)
    assert re.search(r"white-space:nowrap[^>]*>300<", page)


def test_a_name_that_begins_with_a_number_is_a_name():
    """Catches a 5-gram that is written under the right edge, as numbers are."""
    rows = [("5-gram, same text", "6557 of 7485"), ("LSTM", "6 × 10⁻¹³")]
    page = draw_table("Who", ("model", "asked"), rows)._repr_html_()
    assert 'text-align:left">5-gram' in page
    assert page.count("text-align:right") == 3
