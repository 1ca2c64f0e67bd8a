"""What a presenter does with a deck that changes nothing in it: all in one notebook, run once."""

from __future__ import annotations

import pytest

from tests.browser.deck import Deck
from tests.browser.explorer_page import ExplorerPage
from tests.browser.small_notebooks import EXPLORER, SCREENS

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def lecture(lab):
    """Open the small deck and run it, once for all tests below."""
    yield lab.open("deck.ipynb").run_all()
    lab.shut()


@pytest.fixture
def deck(lecture):
    """Return the deck on its first slide, as large as it is made."""
    with Deck(lecture) as started:
        started.press("Control+0", "Home")
        yield started


@pytest.mark.parametrize(
    ("on", "back"),
    [("PageDown", "PageUp"), ("Space", "Shift+Space"), ("ArrowRight", "ArrowLeft")],
)
def test_every_key_walks_the_same_way(deck, on, back):
    """Catches an arrow that skips what lies below, a "-" never shown, notes on the wall."""
    screens = [screen.cells for screen in deck.walk(on)]
    assert screens == SCREENS
    for cells in reversed(screens[:-1]):
        assert deck.press(back).cells == cells


def test_jumps(deck):
    """Catches Home, End and a typed number that do nothing."""
    assert deck.press("End").slide == 6
    assert deck.press("Home").slide == 1
    assert deck.press("4", "Enter").slide == 4
    assert deck.press("9", "9", "Enter").slide == 6
    assert deck.text("number") == "6 / 6"
    assert deck.text("title") == "First"


def test_a_click_beside_the_content_keeps_the_keys(deck):
    """Catches keys that die when the focus falls on the page's body."""
    deck.lab.page.mouse.click(1000, 600)
    assert deck.press("Space").cells == [3, 4, 5]


def test_black_and_help_cover_the_slide_until_the_next_key(deck):
    """Catches a clicker's black button that does nothing, or a slide lost under it."""
    for key, part in ((".", "black"), ("b", "black"), ("?", "help")):
        node = deck.lab.page.locator(f".course-deck-{part}")
        deck.press(key)
        assert node.is_visible()
        assert deck.press("PageDown").cells == [1]
        assert not node.is_visible()


def test_zoom_keys_enlarge_the_slide(deck):
    """Catches Ctrl+plus that enlarges nothing, or cannot be taken back."""
    deck.press("Space")
    before = deck.screen()
    larger = deck.press("Control++", "+")
    assert larger.smallest > 1.15 * before.smallest
    assert deck.press("Control+0") == before
    assert deck.press("-").smallest < before.smallest


def test_slides_without_a_heading_carry_their_sections(deck):
    """Catches a slide of which a latecomer cannot tell what it is about."""
    headings = [screen.heading for screen in deck.walk() if not screen.later]
    assert headings == ["First", "Second", "Second", "Exercise", "Too tall", "Long output"]


def test_a_slide_that_is_too_tall_is_found(deck):
    """Catches a measurement that calls every slide fitting, a long output with no sign."""
    fits = [screen.fits for screen in deck.walk()]
    assert fits == [True] * (len(SCREENS) - 2) + [False, False]
    assert deck.lab.page.locator(".course-on .course-long").count() == 1


def test_escape_leaves_and_the_notebook_is_where_the_slide_was(deck):
    """Catches a notebook scrolled to its top, or a deck that hides it for good."""
    deck.press("3", "Enter", "Escape")
    assert not deck.is_open
    active = "() => window.course.panel.content.activeCellIndex"
    assert deck.lab.page.evaluate(active) == 6
    assert deck.lab.page.locator(".jp-Cell").nth(9).is_visible()  # a notes cell


def test_an_explorer_has_the_arrow_keys_until_escape(deck):
    """Catches a slider that turns the slide, or one that never lets the presenter go on."""
    deck.press("Space")
    explorer = ExplorerPage(deck.lab)
    explorer.reach(explorer.controls()[0])
    before, slide = explorer.picture(), deck.screen().cells
    assert explorer.press("ArrowRight") != before
    assert explorer.press("ArrowLeft", "ArrowDown", "ArrowUp") == before
    assert deck.screen().cells == slide
    assert deck.press("Escape", "Space").cells == [6]


def test_a_clicker_goes_on_although_a_slider_has_the_focus(deck):
    """Catches a presenter who moved a slider and whose clicker then moves it too."""
    deck.press("Space")
    explorer = ExplorerPage(deck.lab)
    explorer.reach(explorer.controls()[0])
    assert deck.press("PageDown").cells == [6]


def test_an_explorer_stands_beside_its_picture(deck):
    """Catches a deck without the course's style: code shown, controls above the picture."""
    deck.press("Space")
    explorer = ExplorerPage(deck.lab)
    slider = explorer.node(explorer.controls()[0]).bounding_box()
    picture = explorer.picture_node.bounding_box()
    assert slider["x"] + slider["width"] < picture["x"]
    assert picture["width"] > 700
    cell = deck.lab.page.locator(".jp-Cell").nth(EXPLORER)
    assert not cell.locator(".cm-content").is_visible()
