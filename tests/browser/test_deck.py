"""The deck's own behaviour, on a small notebook of each test's own, which it may change."""

from __future__ import annotations

import os
import signal
import urllib.request
from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError

from tests.browser.deck import Deck
from tests.browser.explorer_page import ExplorerPage
from tests.browser.lab_page import OPEN
from tests.browser.small_notebooks import DECK, EXERCISE, SCREENS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

STUB, CHECK = 12, 13
RIGHT = """import torch
from course_utils.checks import check
def one_step(u, h_before, x):
    return torch.tanh(u * h_before + x)"""
# The page hears nothing of a change while it finds its way to the new kernel: its next one tells.
MOVES, ANSWERED = 20, 3_000  # milliseconds
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


def test_the_presenters_window_outlives_a_reload(deck):
    """Catches notes that stand still once the page with the slides was loaded anew."""
    page = deck.lab.page
    with page.expect_popup() as popup:
        deck.press("s")
    window = popup.value
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
    page.reload()
    page.wait_for_selector(".course-deck-panel")
    deck.lab.open("deck.ipynb")
    assert deck.press("ArrowLeft", "ArrowRight").cells == [6, 7, 8]
    deck.press("2", "Enter")
    page.wait_for_function(ALL_RUN)
    deck.screen()
    assert ExplorerPage(deck.lab).picture_node.is_visible()


def test_the_deck_stays_with_its_notebook(deck):
    """Catches the next notebook that somebody opens being shown as a deck."""
    deck.lab.page.evaluate(OPEN, "notebooks/echo.ipynb")
    deck.lab.page.wait_for_function("() => !document.querySelector('.course-deck-panel')")
    assert deck.lab.page.locator(".course-deck-chrome").count() == 0
    opened = deck.lab.open("echo.ipynb")
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


def test_a_restart_from_elsewhere_is_noticed(deck):
    """Catches sliders that are silent, and no banner, when another page restarts the kernel."""
    deck.press("2", "Enter")
    kernel = deck.lab.page.evaluate("() => window.course.panel.sessionContext.session.kernel.id")
    server = deck.lab.server
    headers = {"Authorization": f"token {server.token}"}
    restart = f"{server.url}api/kernels/{kernel}/restart"
    asked = urllib.request.Request(restart, method="POST", headers=headers)
    urllib.request.urlopen(asked).close()
    explorer = ExplorerPage(deck.lab)
    explorer.reach(explorer.controls()[0])
    banner = deck.lab.page.locator(".course-deck-banner")
    try:
        for _ in range(MOVES):
            deck.lab.page.keyboard.press("ArrowRight")
            with suppress(TimeoutError):
                banner.wait_for(timeout=ANSWERED)
                break
        assert "restarted" in banner.inner_text()
    finally:
        deck.lab.forgive()


def test_a_clicker_closes_the_notice_of_a_dead_kernel(deck):
    """Catches JupyterLab's notice on the wall, that only a mouse can take away."""
    deck.press("2", "Enter")
    os.kill(deck.lab.ask("__import__('os').getpid()"), signal.SIGKILL)
    notice = deck.lab.page.locator(".jp-Dialog")
    notice.wait_for()
    deck.lab.page.keyboard.press("PageDown")
    notice.wait_for(state="detached")
    assert deck.lab.page.locator(".course-deck-panel").count() == 1
    assert "restarted" in deck.text("banner")
    deck.lab.open("deck.ipynb")


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
