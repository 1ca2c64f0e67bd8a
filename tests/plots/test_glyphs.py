"""Any token can be read and drawn."""

from __future__ import annotations

import pytest

from course_utils.plots.glyphs import drawable, readable


@pytest.mark.parametrize(
    ("token", "seen"),
    [
        ("peace", "peace"), ("$x$", "$x$"), ("\n", "↵"), ("\n\n", "¶"), (" ", "␣"),
        ("⁀", "[no space]"), ("</s>", "[end]"), ("a" * 17, "a" * 11 + "…"), ("a" * 12, "a" * 12),
        ("日本", "□□"), ("\ud800x", "□x"), ("\u202e", "□"), ("x" * 100_000, "x" * 11 + "…"),
    ],
)  # fmt: skip
def test_every_token_can_be_seen(token, seen):
    """Catches a bar without a name, a dollar sign told with a backslash, glyphs the font lacks."""
    assert readable(token) == seen


def test_a_dollar_begins_no_formula():
    """Catches a formula made of two dollar signs, and a backslash that is cut off its dollar."""
    assert drawable("$5$") == r"\$5\$"
    assert drawable("$" * 9, 3) == r"\$\$…"
    assert readable("internationalisation", 8) == "interna…"
