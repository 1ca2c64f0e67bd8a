"""What a presenter does with a deck that changes nothing in it: all in one notebook, run once."""

from __future__ import annotations

import pytest

from tests.browser.deck import Deck
from tests.browser.explorer_page import ExplorerPage
from tests.browser.small_notebooks import EXERCISE, EXPLORER, SCREENS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# the whole file, but for what cells have shown
LECTURE = """() => JSON.stringify(window.course.panel.content.model.toJSON(), (key, value) =>
  ["outputs", "execution_count", "execution"].includes(key) ? undefined : value)"""


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


def test_all_of_an_enlarged_slide_is_reached_by_the_keys_that_go_on(deck):
    """Catches a picture pushed off the wall by one plus, and words below its edge for good."""
    deck.press("Space", *["+"] * 6)
    part = deck.lab.page.locator(".course-on .course-explorer > .course-picture")
    assert part.bounding_box()["x"] + part.bounding_box()["width"] <= 1280
    words = deck.lab.page.locator(".course-on .course-explorer > .course-words")
    for _ in range(9):
        if words.bounding_box()["y"] + words.bounding_box()["height"] <= 690:
            break
        assert deck.press("PageDown").cells == [3, 4, 5]
    else:
        pytest.fail("the words are never reached")
    assert deck.press(*["PageUp"] * 9).slide == 1


def test_the_short_version_leaves_out_exercises(deck):
    """Catches a key that loses the place, and exercises that stay."""
    assert deck.press("4", "Enter", "e").slide == 3
    assert [screen.heading for screen in deck.walk() if not screen.later] == [
        *["First", "Second", "Second", "Too tall", "Long output"]
    ]
    assert deck.text("title") == "First (short version)"
    assert deck.press("End", "e").slide == 6
    assert deck.text("title") == "First"


def test_the_clock_goes_on_after_escape(deck):
    """Catches a plan that begins anew because somebody looked at the notebook."""
    started = "() => Object.values(sessionStorage).map((text) => JSON.parse(text).started)"
    before = deck.lab.page.evaluate(started)
    deck.press("Escape")
    with deck:
        assert deck.lab.page.evaluate(started) == before


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


def test_what_the_mouse_pressed_wants_no_keys(deck):
    """Catches Space that presses a clicked button again, and a number that does so with Enter."""
    numbers = deck.lab.page.locator(".course-explorer").get_by_text("Show the numbers")
    deck.press("Space")
    numbers.click()
    assert deck.press("2", "Enter").cells == [3, 4, 5]
    numbers.click()
    assert deck.press("Space").cells == [6]


def test_escape_ends_the_full_screen_first(deck):
    """Catches a clicker whose start button, pressed twice, leaves the slides (F5, then Escape)."""
    is_full = "() => Boolean(document.fullscreenElement)"
    deck.press("F5")
    deck.lab.page.wait_for_function(is_full)
    deck.press("Escape")
    deck.lab.page.wait_for_function(f"() => !({is_full})()")
    assert deck.is_open


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


def test_no_key_changes_the_lecture(deck):
    """Catches `b`, `x` or `d d` inserting, cutting or deleting a cell on the wall.

    And `1` to `6` making headings, `y` and `m` turning text into code, a cell merged or split.
    """
    before = deck.lab.page.evaluate(LECTURE)
    deck.press(*"0123456789", "Enter", "Home", "Shift+ArrowDown", "Shift+End", "Backspace")
    deck.press("PageDown", "PageUp", "End", ".", ".", "?", "?", "Control++", "Control+0", "0", "h")
    for key in "abcdefgijklmnopqtuvwxyz":
        deck.press(key, key)
        if not deck.is_open:
            pytest.fail(f"{key} leaves the deck")
    deck.press("Control+Shift+Minus", "Delete", "Alt+Enter", "Shift+M", "Control+z", "Home")
    deck.lab.page.locator(".jp-Cell.course-on").first.dblclick()
    deck.press("x", "x", "Enter", "y")
    assert deck.lab.page.evaluate(LECTURE) == before


def test_folded_code_is_opened_by_a_key(deck):
    """Catches book-keeping on the wall, code that no key brings, and a fold lost for good."""
    code = deck.lab.page.locator(".course-on.jp-CodeCell .jp-InputArea-editor")
    deck.press("End")
    assert not code.is_visible()
    deck.press("c")
    assert code.is_visible()
    deck.press("PageUp", "PageDown")
    assert not code.is_visible()
    deck.press("c", "Escape")
    cell = deck.lab.page.locator(".jp-Cell").nth(16)
    line = cell.locator(".jp-InputPlaceholder").inner_text()
    assert line.strip() == "# Print more lines than a slide holds."


def test_hint_and_answer_are_shown_over_the_slide(deck):
    """Catches a hint that needs a new cell in the lecture, or one that stays."""
    before = deck.lab.page.evaluate(LECTURE)
    deck.press(*["Space"] * EXERCISE, "h")
    box = deck.lab.page.locator(".course-deck-answer")
    assert "Hint 1 of 3" in box.inner_text()
    deck.press("a")
    assert "tanh" in box.inner_text()
    assert deck.press("Escape").cells == SCREENS[EXERCISE]
    assert box.count() == 0
    assert deck.lab.page.evaluate(LECTURE) == before


def test_the_presenters_window_keeps_step(deck):
    """Catches notes that lag behind the slide, and keys that work in one window only.

    And a heading that is said twice, and controls of an explorer that leave its picture no room.
    """
    with deck.lab.page.expect_popup() as popup:
        deck.press("s")
    window = popup.value
    assert "What the speaker says" in window.inner_text(".course-presenter-notes")
    assert "of 40 min" in window.inner_text(".course-presenter-time")
    assert "Second" in window.inner_text(".course-presenter-next")
    assert window.inner_text(".course-presenter-now .course-presenter-body").count("First") == 1
    assert window.locator(".late").count() == 0
    say = window.locator(".course-presenter-notes").bounding_box()
    assert say["width"] > 1000
    deck.press("2", "Enter")
    now = window.locator(".course-presenter-now")
    assert now.locator(".course-explorer .course-picture").is_visible()
    assert not now.locator(".course-explorer input, .course-explorer .slider").first.is_visible()
    deck.press("3", "Enter")
    assert "what comes out" in window.inner_text(".course-presenter-ask")
    assert "a verdict" in window.inner_text(".course-presenter-see")
    assert "Not for the wall" in window.inner_text(".course-presenter-skipped")
    assert "It appears later" in window.inner_text(".course-presenter-next")
    window.keyboard.press("PageDown")
    assert deck.screen().cells == [6, 7, 8]
    window.close()
    assert deck.press("PageUp").cells == [6]
