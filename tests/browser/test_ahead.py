"""Pictures drawn ahead: shown before the kernel answers, and never instead of its answer."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.browser.explorer_page import ExplorerPage

pytestmark = [pytest.mark.browser, pytest.mark.slow]

EVERY_PICTURE = """picture => {
  window.pictures = [];
  new MutationObserver(() => window.pictures.push(picture.querySelector("svg").innerHTML))
    .observe(picture, { attributeFilter: ["data-picture"] });
}"""
NOW = "picture => picture.querySelector('svg').innerHTML"


@pytest.fixture
def explorer(open_notebook) -> ExplorerPage:
    """Return an explorer whose slider goes to the right: the next pictures are on the page."""
    lab = open_notebook("ahead.ipynb")
    lab.run_cell(0)
    found = ExplorerPage(lab)
    go_on(found)
    return found


def go_on(explorer: ExplorerPage) -> None:
    """Move the slider three places to the right, one after the other."""
    explorer.reach(explorer.controls()[0])
    for _ in range(3):
        explorer.press("ArrowRight")


def process_of(explorer: ExplorerPage) -> int:
    """Return the kernel's process."""
    return explorer.lab.ask("__import__('os').getpid()")


@contextmanager
def held(explorer: ExplorerPage, kernel: int = 0) -> Iterator[None]:
    """Stop the kernel's process: nothing that the page shows meanwhile comes from there."""
    kernel = kernel or process_of(explorer)
    os.kill(kernel, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(kernel, signal.SIGCONT)


def shown(explorer: ExplorerPage) -> str:
    """Return the picture as it is at this moment."""
    return explorer.picture_node.evaluate(NOW)


def press(explorer: ExplorerPage, key: str) -> str:
    """Press a key and wait for nothing; return what is shown then."""
    explorer.lab.page.keyboard.press(key)
    return shown(explorer)


def assert_kernel_has_the_last_word(explorer: ExplorerPage) -> None:
    """Have the same values drawn again, and compare."""
    explorer.lab.settle()
    last = shown(explorer)
    explorer.lab.ask("shown.redraw()")
    explorer.lab.settle()
    assert shown(explorer) == last
    assert explorer.lab.problems() == []


def test_a_picture_changes_while_the_kernel_is_held(explorer):
    """Catches pictures ahead that are never asked for, never kept, or never shown."""
    before = shown(explorer)
    with held(explorer):
        once = press(explorer, "ArrowRight")
        twice = press(explorer, "ArrowRight")
        assert len({before, once, twice}) == 3
    assert_kernel_has_the_last_word(explorer)
    assert shown(explorer) == twice


def test_an_older_answer_never_replaces_a_newer_picture(explorer):
    """Catches a picture that jumps back when the kernel's answer to the first of two keys comes."""
    with held(explorer):
        press(explorer, "ArrowRight")
        last = press(explorer, "ArrowRight")
        explorer.picture_node.evaluate(EVERY_PICTURE)
    explorer.lab.settle()
    pictures = explorer.lab.page.evaluate("() => window.pictures")
    assert pictures
    assert set(pictures) == {last}
    assert explorer.lab.ask("shown.draws") >= 6  # the start, three keys, and the two
    assert_kernel_has_the_last_word(explorer)


def test_a_changed_model_is_never_shown_as_it_was(explorer):
    """Catches a page that goes on with what it keeps after a cell has changed the model."""
    explorer.lab.run_cell(1)
    explorer.reach(explorer.controls()[0])
    before = shown(explorer)
    with held(explorer):
        assert press(explorer, "ArrowRight") == before
    assert_kernel_has_the_last_word(explorer)
    assert explorer.lab.ask("shown.data.weight") == pytest.approx(-0.7)
    go_on(explorer)  # and ahead of the model as it is now
    before = shown(explorer)
    with held(explorer):
        assert press(explorer, "ArrowRight") != before
    assert_kernel_has_the_last_word(explorer)


RUN_CELL = "() => { window.jupyterapp.commands.execute('notebook:run-cell'); }"
ANSWERED = """([picture, before]) => picture.dataset.picture !== before"""


def press_and_wait(explorer: ExplorerPage, key: str) -> None:
    """Press a key and wait for its picture alone: a cell is running."""
    before = explorer.picture_node.get_attribute("data-picture")
    explorer.lab.page.keyboard.press(key)
    picture = explorer.picture_node.element_handle()
    explorer.lab.page.wait_for_function(ANSWERED, arg=[picture, before])


def test_a_cell_that_runs_lets_nothing_be_drawn_ahead(explorer, gate):
    """Catches pictures of a model in the middle of its training."""
    lab, kernel = explorer.lab, process_of(explorer)
    lab.activate(2)
    lab.page.evaluate(RUN_CELL)
    explorer.reach(explorer.controls()[0])
    press_and_wait(explorer, "End")
    press_and_wait(explorer, "ArrowLeft")
    press_and_wait(explorer, "ArrowLeft")
    with held(explorer, kernel):
        before = shown(explorer)
        assert press(explorer, "ArrowLeft") == before
    with gate.open("r+b", buffering=0):
        assert_kernel_has_the_last_word(explorer)


def test_what_changes_in_silence_is_put_right(explorer):
    """Catches a wrong picture that stays where something else than a cell changed the model."""
    explorer.lab.ask("later.append({'sign': -1})")
    before = shown(explorer)
    with held(explorer):
        wrong = press(explorer, "ArrowRight")
        assert wrong != before
    explorer.lab.settle()
    assert shown(explorer) != wrong
    assert_kernel_has_the_last_word(explorer)
    with held(explorer):  # what was kept with the wrong one is gone
        ahead = press(explorer, "ArrowLeft")
    assert_kernel_has_the_last_word(explorer)
    assert shown(explorer) == ahead != before


def test_an_error_takes_back_what_was_drawn_ahead(explorer):
    """Catches a picture of values that the explorer has refused."""
    last = shown(explorer)
    explorer.lab.ask("later.append({})")
    with held(explorer):
        assert press(explorer, "ArrowRight") != last
    explorer.lab.settle()
    assert "no model" in explorer.error()
    assert shown(explorer) == last
