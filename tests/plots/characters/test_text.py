"""A coloured text shows every character at its place, whatever it is, and says what it shows."""

from __future__ import annotations

import re
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

from course_utils.plots.characters.text import (
    COLUMNS,
    LEVELS,
    ROWS,
    ColouredText,
    TextDrawing,
    colour_of,
    levels_of,
    rows_of,
)
from course_utils.plots.style import INK, LEAST_CONTRAST, contrast

ODD = 'x = "<b>&amp;</b>"\t# ü語🙂\u202e\x00\n' * 3


def seen(text: str, at: int = 0, **more) -> ColouredText:
    values = np.linspace(-1, 1, len(text))
    return ColouredText("c[3]", text, values, 1.0, at, **more)


def test_every_character_has_its_own_place():
    """Catches markup that is obeyed, characters that are dropped, wide ones that push others."""
    drawing = TextDrawing()
    drawing.show(seen(ODD))
    root = ElementTree.fromstring(drawing.scene.svg())
    rows = [node for node in root.iter() if node.get("data-key", "").startswith("row")]
    lines = ODD.splitlines(keepends=True)
    assert len(lines) == 3
    for node, line in zip(rows, lines, strict=True):
        (span,) = node
        assert len(span.text) == len(span.get("x").split()) == len(line)
        assert span.text.startswith('x\u00a0=\u00a0"<b>&amp;</b>"→#')


@pytest.mark.parametrize("text", ["", "a", "\n", "a\n", "\n\n", "b" * (2 * COLUMNS + 1), ODD])
def test_rows_hold_all_of_the_text_once(text):
    """Catches a line end that is lost, and a character in two rows."""
    rows = rows_of(text)
    assert "".join(text[low:high] for low, high in rows) == text
    assert all(high - low <= COLUMNS for low, high in rows)


def test_signs_and_scale_are_honest():
    """Catches a negative number in the colour of a positive one, and one beyond the scale."""
    assert levels_of(np.array([-9.0, -1, -0.01, 0, 0.01, 0.5, 1, 9, np.nan]), 1.0).tolist() == [
        -LEVELS, -LEVELS, 0, 0, 0, LEVELS // 2, LEVELS, LEVELS, 0,
    ]  # fmt: skip
    drawing = TextDrawing()
    words = drawing.show(seen("abcdefg", at=1))
    assert "c[3]: −0.67 at line 1, column 2, b." in words
    assert "Full colour is 1," in words


def test_ink_can_be_read_on_every_tint():
    """Catches a colour as dark as the letters."""
    for level in range(-LEVELS, LEVELS + 1):
        assert contrast(INK, colour_of(level)) >= LEAST_CONTRAST


def test_the_mark_is_always_in_the_window():
    """Catches a window that stays at the top: whoever walks on by keys would lose the mark."""
    text = "line\n" * 200
    drawing = TextDrawing()
    for at in (0, 499, len(text) - 1):
        drawing.show(seen(text, at))
        assert 'data-key="mark"' in drawing.scene.svg()
        assert len(re.findall('data-key="row', drawing.scene.svg())) == ROWS


def test_twenty_thousand_characters_cost_no_more_than_two_thousand():
    """Catches a drawing whose work grows with every character of the text."""
    costs = []
    for size in (2_000, 20_000):
        text = ("some = code('and more')\n" * 900)[:size]
        at = size * 3 // 4
        drawing, data = TextDrawing(), seen(text, at, outlined=((at, at + 50),))
        drawing.show(data)  # what is made once for each text is made
        costs.append(steps_of(lambda drawing=drawing, data=data: drawing.show(data)))
    assert 0 < costs[1] < 2 * costs[0]
    assert len(drawing.scene.svg()) < 200_000


def steps_of(work) -> int:
    """Return how many of Python's instructions some work takes: a clock would count the machine."""
    count = 0

    def follow(frame, event, _):
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return follow

    before = sys.gettrace()
    sys.settrace(follow)
    try:
        work()
    finally:
        sys.settrace(before)
    return count
