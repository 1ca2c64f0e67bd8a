"""Every lecture in a real JupyterLab: it runs, shows, answers the keyboard and judges answers."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.browser.explorer_page import ExplorerPage, explorers
from tests.browser.server import REPOSITORY

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LECTURES = sorted(path.name for path in (REPOSITORY / "notebooks").glob("[0-9][0-9]_*.ipynb"))


@pytest.fixture(scope="module", params=LECTURES)
def lecture(request, lab):
    """Return a lecture, opened and run from top to bottom, once for all tests below."""
    yield lab.open(request.param).run_all()
    lab.shut()


def test_runs_from_top_to_bottom(lecture):
    """Would catch an error in any cell, a cell that never ran, a widget that was not drawn."""
    idle = [c["source"] for c in lecture.cells() if c["type"] == "code" and c["source"].strip()]
    ran = [c["source"] for c in lecture.cells() if c["count"] is not None]
    assert ran == idle
    assert lecture.problems() == []


def test_every_explorer_is_seen_and_said(lecture):
    """Would catch an empty box, a picture without alt text, alt text that is not the words."""
    shown = explorers(lecture)
    assert shown, "a lecture without an explorer"
    for explorer in shown:
        assert explorer.box.is_visible()
        assert explorer.picture_node.evaluate("img => img.naturalWidth") > 300
        assert explorer.words()
        assert explorer.alt() == explorer.words()


def test_every_control_answers_the_keyboard(lecture):
    """Would catch a dead slider, an option that draws nothing new, an end that raises."""
    for explorer in explorers(lecture):
        assert dull_controls(explorer) == []
    assert lecture.problems() == []


def dull_controls(explorer: ExplorerPage) -> list[str]:
    """Move every control to all its places; return those that fail or change nothing."""
    found = []
    at_start = explorer.picture()
    for control in explorer.controls():
        places = explorer.tour(control)
        for (_, before), (place, after) in pairwise(places):
            if before == after:
                found.append(f"{control.label} at {place}: the picture stays the same")
        if explorer.error():
            found.append(f"{control.label}: {explorer.error()}")
        if explorer.alt() != explorer.words():
            found.append(f"{control.label}: alt text stays behind")
        if explorer.click("Back to the start") != at_start:
            found.append(f"{control.label}: the way back does not lead back")
    return found


def test_numbers_can_be_shown(lecture):
    """Would catch a table that fails to build from an explorer's data."""
    for explorer in explorers(lecture):
        explorer.click("Show the numbers")
        assert explorer.box.locator(".course-numbers tbody tr").count() > 1
        explorer.click("Show the numbers")
        assert explorer.box.locator(".course-numbers table").count() == 0
    assert lecture.problems() == []
