"""What a show leaves behind: the lecture's file, byte for byte, and nothing to be saved."""

from __future__ import annotations

import json

import pytest

from tests.browser.deck import Deck
from tests.browser.explorer_page import ExplorerPage
from tests.browser.lab_page import LabPage
from tests.browser.server import DOCUMENTS, LabServer
from tests.browser.small_notebooks import EXERCISE, EXPLORER, write_deck

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME, STUB = "shown.ipynb", 12
ANSWER = "import torch\nfrom course_utils.checks import check\none_step = None  # on the wall"
DIRTY = "() => window.course.panel.context.model.dirty"
DOT = ".lm-DockPanel-tabBar .lm-mod-current.jp-mod-dirty"
COUNT_SAVES = """() => {
  window.course.saves = 0;
  window.course.panel.context.saveState.connect((_, state) => {
    if (state === "started") window.course.saves += 1;
  });
}"""
ALL_RUN = "() => !document.querySelector('.course-deck-status')?.textContent"
SAVE_WIDGETS = "@jupyter-widgets/jupyterlab-manager:saveWidgetState"
LATER = "10:00"  # five times what JupyterLab waits before it saves by itself
SOON = 1.0  # second


class Shown:
    """A lecture of its own that is shown, and how often JupyterLab has begun to save it."""

    def __init__(self, lab: LabPage, server: LabServer, file):
        write_deck(file)
        self.lab, self.server, self.file, self.before = lab, server, file, file.read_bytes()
        self.asked: list[str] = []
        lab.page.on("dialog", self._answer)

    def open_with_a_clock(self):
        """Open it in a page whose clock a test can set forward, and count from now on."""
        self.server.configure(DOCUMENTS)
        self.lab.page.clock.install()
        return self._open()

    def open_saved_every(self, seconds: float):
        """Open it where JupyterLab saves that often, and count from now on."""
        self.server.configure(DOCUMENTS, autosaveInterval=seconds)
        return self._open()

    def _open(self):
        self.lab.open(NAME).page.evaluate(COUNT_SAVES)
        return self.lab, self.lab.page

    @property
    def saves(self) -> int:
        """Return how often a save has begun: it asks the server for the file before it writes."""
        return self.lab.page.evaluate("() => window.course.saves")

    def _answer(self, dialog) -> None:
        self.asked.append(dialog.type)
        dialog.accept()

    def save(self) -> dict:
        """Press Ctrl+S and return what the file then holds."""
        with self.lab.page.expect_response(lambda r: r.request.method == "PUT" and NAME in r.url):
            self.lab.page.keyboard.press("Control+s")
        self.lab.page.wait_for_function(f"() => !({DIRTY})()")
        return json.loads(self.file.read_bytes())


@pytest.fixture
def shown(browser, server):
    """Return a small lecture, to be opened in a page of its own that saves by itself."""
    file = server.course / "notebooks" / NAME
    lab = LabPage(browser, server)
    yield Shown(lab, server, file)
    lab.shut()
    lab.close()
    server.configure(DOCUMENTS, autosave=False)
    file.unlink()


def test_a_show_leaves_the_file_and_nothing_to_save(shown):
    """Catches outputs in the file: 61 kB become 2 MB, and the next `git pull` stops.

    Also an autosave during or after the show, a question on closing, the state of the widgets, and
    a Ctrl+S out of habit.
    """
    lab, page = shown.open_with_a_clock()
    lab.command(SAVE_WIDGETS)
    with Deck(lab) as deck:
        page.wait_for_function(ALL_RUN)
        deck.press("2", "Enter")
        explorer = ExplorerPage(lab)
        explorer.reach(explorer.controls()[0])
        explorer.press("ArrowRight", "ArrowRight")
        deck.press("Escape", *["Space"] * (EXERCISE - 1), "h", "Escape", "Control+Enter")
        page.clock.fast_forward(LATER)
        assert not page.evaluate(DIRTY)
        assert shown.saves == 0
        shown.save()
        assert shown.file.read_bytes() == shown.before
    page.clock.fast_forward(LATER)
    assert page.locator(DOT).count() == 0
    assert shown.saves == 1
    lab.command(SAVE_WIDGETS)
    page.reload()
    page.get_by_role("button", name="Present", exact=True).wait_for()
    lab.open(NAME)
    assert not shown.asked
    assert shown.file.read_bytes() == shown.before


def test_what_is_typed_in_a_show_is_saved_on_purpose_and_alone(shown):
    """Catches an edit lost with the outputs, outputs saved with the edit, an answer that a show
    writes into the lecture by itself."""
    lab, page = shown.open_with_a_clock()
    with Deck(lab) as deck:
        page.wait_for_function(ALL_RUN)
        deck.press(*["Space"] * EXERCISE, "Enter")
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(ANSWER)
        deck.press("Shift+Enter")
        page.clock.fast_forward(LATER)
        assert page.evaluate(DIRTY)
        assert shown.saves == 0
        saved = shown.save()
    expected = json.loads(shown.before)
    expected["cells"][STUB]["source"] = ANSWER.splitlines(keepends=True)
    assert saved == expected
    assert not page.evaluate(DIRTY)


def test_after_the_show_the_notebook_is_somebodys_again(shown):
    """Catches what a reader runs after a show, never saved, and an autosave that stays off."""
    lab, page = shown.open_saved_every(SOON)
    with Deck(lab):
        page.wait_for_function(ALL_RUN)
    assert shown.saves == 0
    lab.run_cell(EXPLORER)
    page.wait_for_function(f"() => !({DIRTY})()")  # saved, or never taken for changed
    assert shown.saves
    cells = json.loads(shown.file.read_bytes())["cells"]
    with_outputs = [place for place, cell in enumerate(cells) if cell.get("outputs")]
    assert with_outputs == [EXPLORER]
