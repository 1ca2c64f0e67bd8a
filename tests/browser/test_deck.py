"""The deck's own behaviour, on a small notebook of each test's own, which it may change."""

from __future__ import annotations

from pathlib import Path

import pytest
from tornado.httputil import url_concat

from course_utils.lab import lab_arguments
from tests.browser.deck import Deck
from tests.browser.explorer_page import ExplorerPage
from tests.browser.lab_page import OPEN, LabPage
from tests.browser.small_notebooks import DECK, SCREENS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

STUB, CHECK = 12, 13
EXERCISE = SCREENS.index([11]) + 1  # steps from the first slide
RIGHT = """import torch
from course_utils.checks import check
def one_step(u, h_before, x):
    return torch.tanh(u * h_before + x)"""
# the whole file, but for what cells have shown
LECTURE = """() => JSON.stringify(window.course.panel.content.model.toJSON(), (key, value) =>
  ["outputs", "execution_count", "execution"].includes(key) ? undefined : value)"""
ALL_RUN = "() => !document.querySelector('.course-deck-status').textContent"


@pytest.fixture
def deck(open_notebook):
    """Return a small deck that has been run and stands on its first slide."""
    with Deck(open_notebook("deck.ipynb")) as started:
        yield started


def test_present_runs_all_and_starts_at_slide_one(lab, open_notebook):
    """Catches a start at the cursor (a blank screen on a skipped cell) and a second run."""
    page = open_notebook("deck.ipynb")
    page.page.get_by_role("menuitem", name="Run").click()
    page.page.get_by_text("Run All Cells", exact=True).click()
    page.settle()
    page.activate(10)  # a skipped cell
    counts = [cell["count"] for cell in page.cells()]
    with Deck(page) as deck:
        assert deck.screen().cells == [1]
        assert [cell["count"] for cell in page.cells()] == counts
    page.run_cell(STUB)
    with Deck(page) as deck:
        assert deck.text("banner") == ""


def test_a_jump_does_not_wait_for_the_lecture_to_run(open_notebook):
    """Catches a blank slide: Lab lays out a long notebook's end when its kernel leaves it time."""
    page = open_notebook("03_lstm.ipynb").page
    page.get_by_role("button", name="Present", exact=True).click()
    page.wait_for_selector(".course-deck-chrome")
    page.keyboard.press("End")
    assert page.locator(".course-on li").first.is_visible()
    assert page.locator(".course-deck-status").inner_text().startswith("running")


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


@pytest.mark.parametrize("key", ["Shift+Enter", "Control+Enter"])
def test_running_an_exercise_shows_its_verdict(deck, key):
    """Catches a run that leaves the slide, an old verdict, a check that stays hidden."""
    deck.press(*["Space"] * (EXERCISE))
    assert deck.screen().cells == SCREENS[EXERCISE]
    deck.press("Enter")  # into the stub
    keyboard = deck.lab.page.keyboard
    keyboard.press("Control+a")
    keyboard.insert_text(RIGHT)
    screen = deck.press(key)
    assert screen.cells == SCREENS[EXERCISE + 1]
    assert "Correct" in deck.lab.output_of(CHECK)
    assert screen.fits
    assert deck.press("Space").cells == [14]


def test_typing_belongs_to_the_cell(deck):
    """Catches a letter or an arrow that turns the slide while somebody writes."""
    deck.press(*["Space"] * (EXERCISE), "Enter")
    deck.lab.page.keyboard.type("bs. h?5")
    deck.press("ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp")
    assert deck.screen().cells == SCREENS[EXERCISE]
    assert "bs. h?5" in deck.lab.cells()[STUB]["source"]
    assert deck.press("Escape", "b").cells == SCREENS[EXERCISE]
    assert deck.lab.page.locator(".course-deck-black").is_visible()


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


def test_the_address_of_course_present_shows_slides(browser, server):
    """Catches `course present` that opens the notebook, runs nothing or never lets go."""
    lecture = Path("notebooks", "deck.ipynb")
    arguments = lab_arguments(server.course, lecture=lecture, as_slides=True)
    (address,) = (a.split("=", 1)[1] for a in arguments if a.startswith("--LabApp.default_url"))
    lab = LabPage(browser, server)
    # as the server opens the browser
    lab.page.goto(url_concat(server.url + address.lstrip("/"), {"token": server.token}))
    deck = Deck(lab)
    lab.page.wait_for_selector(".course-deck-panel")
    assert deck.text("number") == "1 / 6"
    lab.open(lecture.name)
    lab.page.wait_for_function(ALL_RUN)
    assert all(cell["count"] for cell in lab.cells() if cell["type"] == "code")
    assert deck.press("PageDown").cells == [3, 4, 5]
    deck.press("Escape")
    lab.page.on("dialog", lambda dialog: dialog.accept())  # the notebook is not saved
    lab.page.reload()
    lab.page.get_by_role("button", name="Present", exact=True).wait_for()
    lab.open(lecture.name)
    assert not deck.is_open
    lab.shut()
    lab.close()


def test_the_presenters_window_outlives_a_reload(deck):
    """Catches notes that stand still once the page with the slides was loaded anew."""
    page = deck.lab.page
    with page.expect_popup() as popup:
        deck.press("s")
    window = popup.value
    page.on("dialog", lambda dialog: dialog.accept())  # the notebook is not saved
    page.reload()
    page.wait_for_selector(".course-deck-panel")
    deck.lab.open("deck.ipynb")
    page.wait_for_function(ALL_RUN)
    deck.press("3", "Enter")
    assert not window.is_closed()
    assert "what comes out" in window.inner_text(".course-presenter-ask")
    window.keyboard.press("PageDown")
    assert deck.screen().cells == [6, 7, 8]
    deck.press("Escape")
    assert window.is_closed()


def test_a_reload_comes_back_to_the_slide(deck):
    """Catches a show that starts anew, or without pictures, when the page is loaded anew."""
    deck.press("3", "Enter", "Space")
    page = deck.lab.page
    page.on("dialog", lambda dialog: dialog.accept())  # the notebook is not saved
    page.reload()
    page.wait_for_selector(".course-deck-panel")
    deck.lab.open("deck.ipynb")
    assert deck.press("ArrowLeft", "ArrowRight").cells == [6, 7, 8]
    deck.press("2", "Enter")
    page.wait_for_function(ALL_RUN)
    deck.screen()
    assert ExplorerPage(deck.lab).picture_node.is_visible()


def test_the_deck_stays_with_its_notebook(deck, open_notebook):
    """Catches the next notebook that somebody opens being shown as a deck."""
    deck.lab.page.evaluate(OPEN, "notebooks/echo.ipynb")
    deck.lab.page.wait_for_function("() => !document.querySelector('.course-deck-panel')")
    assert deck.lab.page.locator(".course-deck-chrome").count() == 0
    opened = open_notebook("echo.ipynb")
    assert not deck.is_open
    opened.shut()
    deck.lab.open("deck.ipynb")


@pytest.mark.parametrize("key", ["r", "F5"], ids=["keyboard", "clicker's start"])
def test_a_restarted_kernel_is_said_and_run_again(deck, key):
    """Catches sliders that move and answer nothing, without a word; a clicker that cannot help."""
    deck.press("2", "Enter")
    deck.lab.page.evaluate("() => window.course.panel.sessionContext.restartKernel()")
    banner = deck.lab.page.locator(".course-deck-banner")
    banner.wait_for()
    assert "restarted" in banner.inner_text()
    deck.lab.open("deck.ipynb")
    deck.press(key)
    assert not banner.is_visible()
    assert deck.screen().slide == 2
    explorer = ExplorerPage(deck.lab)
    before = explorer.picture()
    explorer.reach(explorer.controls()[0])
    assert explorer.press("ArrowRight") != before


def test_the_presenters_window_keeps_step(deck):
    """Catches notes that lag behind the slide, and keys that work in one window only."""
    with deck.lab.page.expect_popup() as popup:
        deck.press("s")
    window = popup.value
    assert "What the speaker says" in window.inner_text(".course-presenter-notes")
    assert "of 40 min" in window.inner_text(".course-presenter-time")
    assert "Second" in window.inner_text(".course-presenter-next")
    deck.press("3", "Enter")
    assert "what comes out" in window.inner_text(".course-presenter-ask")
    assert "a verdict" in window.inner_text(".course-presenter-see")
    assert "Not for the wall" in window.inner_text(".course-presenter-skipped")
    assert "It appears later" in window.inner_text(".course-presenter-next")
    window.keyboard.press("PageDown")
    assert deck.screen().cells == [6, 7, 8]
    window.close()
    assert deck.press("PageUp").cells == [6]


def test_the_small_deck_has_every_kind_of_cell():
    """Catches a deck that these tests no longer try."""
    assert {kind for kind, _ in DECK} == {
        "slide",
        "subslide",
        "fragment",
        "skip",
        "notes",
        "-",
        None,
    }
