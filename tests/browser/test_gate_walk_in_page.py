"""One sentence through all gates with nothing but the keyboard."""

from __future__ import annotations

import re

import pytest

from course_utils.plots.gates.cell_layout import layout_of
from tests.browser.explorer_page import ExplorerPage

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PLACE = re.compile(r"Word (\d+) of (\d+), “(.+?)”, unit \d+, (\w+):")


def test_a_typed_sentence_is_walked_gate_by_gate(open_notebook):
    """Catches a step that skips a gate, a slider that keeps old words, a key that is lost."""
    explorer = ExplorerPage(open_notebook("gates.ipynb").run_all())
    controls = {control.label: control for control in explorer.controls()}
    explorer.reach(controls["or your own"])
    explorer.lab.page.keyboard.type("The people <b>")
    explorer.press("Enter")
    explorer.reach(controls["step"])
    seen, pictures = [place(explorer)], {explorer.picture()}
    words, gates = ["The", "people", "<", "b", ">"], list(layout_of("lstm").stops)
    for _ in range(len(words) * len(gates) - 1):
        pictures.add(explorer.press("ArrowRight"))
        seen.append(place(explorer))
    expected = [(number, word, gate) for number, word in enumerate(words, 1) for gate in gates]
    assert seen == expected
    assert len(pictures) == len(expected)
    explorer.press("Home")
    explorer.press("PageUp")  # a whole word
    assert place(explorer) == (2, "people", "forget")
    assert explorer.error() == ""


def place(explorer: ExplorerPage) -> tuple[int, str, str]:
    """Return where the walk stands, as the words below the picture say it."""
    found = PLACE.search(explorer.words())
    return int(found[1]), found[3], found[4]
