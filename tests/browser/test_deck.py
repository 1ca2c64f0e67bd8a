"""The deck's own behaviour, on a small notebook: what it shows, what it hides, who has the keys."""

from __future__ import annotations

import pytest

from tests.browser.deck import Deck
from tests.browser.explorer_page import ExplorerPage
from tests.browser.small_notebooks import DECK

pytestmark = [pytest.mark.browser, pytest.mark.slow]

KINDS = [kind for kind, _ in DECK]
EXPLORER = next(index for index, (kind, text) in enumerate(DECK) if "explore_echo" in text)


@pytest.fixture
def deck(open_notebook):
    """Return a small deck that has been run and stands on its first slide."""
    with Deck(open_notebook("deck.ipynb").run_all()) as started:
        yield started


def test_space_shows_what_an_audience_should_see(deck):
    """Would catch notes on the wall, and a slide type that the deck never shows ("-")."""
    screens = list(deck.walk())
    assert [screen.cells for screen in screens] == [[0], [2, 3, 4], [5], [5, 6], [8]]
    hidden = {KINDS[index] for index in range(len(DECK)) if index not in {0, 2, 3, 4, 5, 6, 8}}
    assert hidden == {"notes", "-"}


def test_a_slide_that_is_too_tall_is_found(deck):
    """Would catch a measurement that calls every slide fitting."""
    assert [screen.fits for screen in deck.walk()] == [True, True, True, True, False]


def test_an_explorer_has_the_arrow_keys_until_escape(deck):
    """Would catch a slider that turns the slide, or one that never lets the presenter go on."""
    keyboard = deck.lab.page.keyboard
    keyboard.press("Space")
    explorer = ExplorerPage(deck.lab)
    explorer.reach(explorer.controls()[0])
    before, slide = explorer.picture(), deck.screen().cells
    assert explorer.press("ArrowRight") != before
    assert explorer.press("ArrowLeft", "ArrowDown", "ArrowUp") == before
    assert deck.screen().cells == slide
    keyboard.press("Escape")
    keyboard.press("Space")
    assert deck.screen().cells == [5]


def test_an_explorer_stands_beside_its_picture(deck):
    """Would catch a deck without the course's style: code shown, controls above the picture."""
    deck.lab.page.keyboard.press("Space")
    explorer = ExplorerPage(deck.lab)
    slider = explorer.node(explorer.controls()[0]).bounding_box()
    picture = explorer.picture_node.bounding_box()
    assert slider["x"] + slider["width"] < picture["x"]
    assert picture["width"] > 700
    cell = deck.lab.page.locator(".jp-Cell").nth(EXPLORER)
    assert not cell.locator(".cm-content").is_visible()
