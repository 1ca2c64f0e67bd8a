"""What only a page can prove of an explorer: keys, focus, themes, leaks and hurry."""

from __future__ import annotations

import pytest

from tests.browser.explorer_page import ExplorerPage
from tests.browser.lab_page import LATE

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NOTEBOOK_KEYS = ("a", "b", "x", "d", "d")  # insert above, insert below, cut, delete
UNGUARD = "() => delete document.activeElement.dataset.lmSuppressShortcuts"
PRESSES = 30


@pytest.fixture
def echo(shared_notebook):
    """Return the smallest notebook with an explorer and a cell below it, at its start."""
    return shared_notebook("echo.ipynb")


def sources(lab) -> list[str]:
    """Return the text of every cell."""
    return [cell["source"] for cell in lab.cells()]


def focus_slider(explorer: ExplorerPage) -> None:
    """Put the focus on the first slider, as Tab would."""
    explorer.reach(explorer.controls()[0])


def take_back(lab) -> None:
    """Undo the cell that a key has inserted."""
    lab.command("notebook:undo-cell-action")
    assert len(sources(lab)) == 2


def test_letter_keys_on_a_slider_leave_the_notebook_alone(echo):
    """Catches `x` on a slider cutting the slider's own cell."""
    before = sources(echo)
    explorer = ExplorerPage(echo)
    echo.activate(0)
    focus_slider(explorer)
    explorer.press(*NOTEBOOK_KEYS)
    assert sources(echo) == before
    assert explorer.box.is_visible()


def test_without_the_guard_the_same_keys_do_harm(echo):
    """Catches a test above that passes because no key ever arrived."""
    explorer = ExplorerPage(echo)
    echo.activate(0)
    focus_slider(explorer)
    echo.page.evaluate(UNGUARD)
    echo.page.keyboard.press("a")
    echo.settle()
    assert len(sources(echo)) == 3
    take_back(echo)


def test_escape_gives_the_keys_back(echo):
    """Catches a reader who is locked inside an explorer."""
    explorer = ExplorerPage(echo)
    echo.activate(0)
    focus_slider(explorer)
    echo.page.keyboard.press("Escape")
    echo.page.keyboard.press("b")
    echo.settle()
    assert len(sources(echo)) == 3
    take_back(echo)


def test_arrow_keys_move_the_slider_and_not_the_selection(echo):
    """Catches ArrowDown walking off to the next cell."""
    explorer = ExplorerPage(echo)
    echo.activate(0)
    focus_slider(explorer)
    before = explorer.picture()
    assert explorer.press("ArrowDown") != before
    assert echo.page.evaluate("() => window.course.panel.content.activeCellIndex") == 0


def test_a_dark_theme_turns_the_picture_round(echo):
    """Catches a white rectangle glaring out of a dark page."""
    explorer = ExplorerPage(echo)
    style = "img => getComputedStyle(img).filter"
    assert explorer.picture_node.evaluate(style) == "none"
    echo.use_theme("Dark")
    assert "invert" in explorer.picture_node.evaluate(style)
    echo.use_theme("Light")


def test_an_error_is_shown_escaped_and_goes_again(open_notebook):
    """Catches a swallowed exception, a red line that stays, HTML out of a message."""
    explorer = ExplorerPage(open_notebook("broken.ipynb").run_all())
    focus_slider(explorer)
    last_good = explorer.press("ArrowLeft")
    assert explorer.press("End") == last_good
    assert "<b>too large</b>" in explorer.error()
    assert explorer.press("Home") != last_good
    assert explorer.error() == ""


NO_TIME = """() => {
  AbortSignal.timeout = () => ({ addEventListener: (_, tooLate) => tooLate() });
}"""


def test_an_explorer_whose_script_comes_late_follows_its_kernel(open_notebook):
    """Catches a picture that never moves because a slow page kept its script waiting."""
    lab = open_notebook("echo.ipynb")
    lab.page.evaluate(NO_TIME)
    lab.run_all()
    assert any(LATE in complaint for complaint in lab.complaints)
    explorer = ExplorerPage(lab)
    focus_slider(explorer)
    before = explorer.picture_node.get_attribute("data-picture")
    explorer.press("ArrowRight")
    assert explorer.picture_node.get_attribute("data-picture") != before
    assert explorer.alt() == explorer.words()
    assert lab.problems() == []


def test_running_a_cell_again_leaks_nothing(open_notebook):
    """Catches figures and widgets that pile up in the kernel, one set a run."""
    lab = open_notebook("kept.ipynb").run_all()
    once = lab.ask("kept()")
    for _ in range(5):
        lab.run_cell(1)
    assert lab.ask("kept()") == once
    assert lab.page.locator(".course-explorer").count() == 1
    assert lab.problems() == []


def test_thirty_keys_while_one_picture_is_drawn_never_queue_up(open_notebook, request):
    """Catches a picture that limps behind the slider long after the key was let go."""
    lab = open_notebook("slow.ipynb").run_all()
    explorer = ExplorerPage(lab)
    focus_slider(explorer)
    draws = lab.ask("slow.draws")
    pipe = request.getfixturevalue("gate")  # now that the first picture is drawn
    for _ in range(PRESSES):
        lab.page.keyboard.press("ArrowRight")
    with pipe.open("r+b", buffering=0):
        lab.settle()
        assert lab.ask("slow.values['recurrent_weight']") == pytest.approx(PRESSES * 0.05)
        assert lab.ask("slow.data.weight") == pytest.approx(PRESSES * 0.05)
        assert "recurrent weight 1.5 " in explorer.words()
        assert lab.ask("slow.draws") - draws == 2  # of the first key, and of the last
