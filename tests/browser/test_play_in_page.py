"""A walk that plays by itself, and a cell that becomes the other before the reader's eyes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from course_utils.explorers import machinery
from tests.browser.explorer_page import ExplorerPage

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PLAY = Path(machinery.__file__).parent / "page" / "play.js"
STOPS = ["update", "reset", "candidate", "state"]
WATCH = """() => {
  const words = document.querySelector(".course-explorer .course-words");
  const note = () => window.told.push(words.textContent.match(/, (\\w+): /)?.[1]);
  window.told = [];
  window.watch?.disconnect();
  window.watch = new MutationObserver(note);
  window.watch.observe(words, { childList: true, subtree: true });
}"""
# A pause between two steps lasts until a test ends it, however slow or fast the machine is.
HOLD_PAUSES = """(pause) => {
  const { setTimeout: later, clearTimeout: never } = window;
  const waiting = new Map();
  window.setTimeout = (act, delay, ...rest) => {
    if (delay !== pause) return later(act, delay, ...rest);
    const key = Symbol("pause");
    waiting.set(key, act);
    return key;
  };
  window.clearTimeout = (key) => waiting.delete(key) || never(key);
  window.pauses = {
    waiting,
    end: () => waiting.forEach((act, key) => waiting.delete(key) && act()),
    release: () => Object.assign(window, { setTimeout: later, clearTimeout: never }),
  };
}"""
IN_A_PAUSE = "() => window.pauses.waiting.size === 1"
MOVES = """() => {
  window.moves = [];
  document.addEventListener("transitionrun", ({ target, propertyName }) => {
    const part = target.closest("g[data-key]"); // the rest of the page moves, too
    if (part) window.moves.push(`${part.dataset.key} ${propertyName}`);
  });
}"""
KEEP = "() => { window.kept = document.querySelector('[data-key=box-keeper]'); }"
IS_KEPT = "() => window.kept === document.querySelector('[data-key=box-keeper]')"


@pytest.fixture(scope="module")
def opened(lab):
    """Open the walk through a GRU and run it, once for all tests below."""
    yield ExplorerPage(lab.open("cells.ipynb").run_all())
    lab.shut()


@pytest.fixture
def cells(opened):
    """Return a walk of one word through a GRU on its first of four stops."""
    opened.click("Back to the start")
    line = opened.box.get_by_role("textbox", name="or your own")
    line.fill("the")
    line.press("Enter")
    opened.lab.settle()
    opened.lab.page.evaluate(WATCH)
    (pause,) = re.findall(r"const PAUSE = (\d+);", PLAY.read_text(encoding="utf-8"))
    opened.lab.page.evaluate(HOLD_PAUSES, int(pause))
    yield opened
    opened.lab.page.evaluate("() => window.pauses.release()")


def player(explorer: ExplorerPage):
    """Return the button beside the slider of steps."""
    return explorer.box.locator(".course-play")


def paused(explorer: ExplorerPage) -> None:
    """Wait until a step of the walk has been shown and the next is still to come."""
    explorer.lab.page.wait_for_function(IN_A_PAUSE)


def end_pauses(explorer: ExplorerPage, count: int) -> None:
    """Let a walk go on so many times, each when the step before it is shown."""
    for _ in range(count):
        paused(explorer)
        explorer.lab.page.evaluate("() => window.pauses.end()")


def ended(explorer: ExplorerPage) -> None:
    """Wait until nobody plays any more."""
    button = ".course-play[data-does=Play], .course-play[data-does=Next]"
    explorer.lab.page.wait_for_selector(button)
    explorer.lab.settle()


def told(explorer: ExplorerPage) -> list[str]:
    """Return the stops that the words told of, in their order."""
    return explorer.lab.page.evaluate("() => window.told")


def test_a_walk_plays_to_its_last_step_and_again(cells):
    """Catches a stop that is skipped, a walk that runs on for ever, or will not start twice."""
    assert player(cells).get_attribute("aria-label") == "Play: step"
    player(cells).focus()
    cells.lab.page.keyboard.press("Enter")
    assert player(cells).get_attribute("aria-label") == "Pause: step"
    end_pauses(cells, len(STOPS[1:]))
    ended(cells)
    assert told(cells) == STOPS[1:]
    assert cells.lab.ask("(walk.values['step'], walk.data.stop)") == (3, "state")
    shown = cells.picture()
    cells.lab.ask("walk.redraw()")
    cells.lab.settle()
    assert cells.picture() == shown
    cells.lab.page.keyboard.press("Enter")
    end_pauses(cells, len(STOPS))
    ended(cells)
    assert told(cells) == STOPS[1:] + STOPS
    assert cells.lab.problems() == []


def test_a_pause_stays_where_it_is(cells):
    """Catches a button that cannot stop what it began."""
    player(cells).click()
    paused(cells)
    player(cells).click()
    ended(cells)
    assert player(cells).get_attribute("data-does") == "Play"
    assert cells.lab.page.evaluate("() => window.pauses.waiting.size") == 0  # nothing will come
    assert told(cells) == STOPS[1:2]


def test_a_slider_that_does_not_move_ends_the_walk(cells):
    """Catches a reader left at "Pause" for ever by a key that the slider did not take."""
    cells.lab.ask("setattr(walk.controls['step'], 'disabled', True)")
    cells.lab.settle()
    try:
        player(cells).click()
        ended(cells)
        assert told(cells) == []
    finally:
        cells.lab.ask("setattr(walk.controls['step'], 'disabled', False)")
    assert cells.lab.problems() == []


def test_a_step_that_nobody_answers_is_passed(cells):
    """Catches a walk that waits for ever where the kernel has nothing to do for a step.

    As when the drawing has moved the slider there already.
    """
    cells.lab.ask("walk.controls['step'].unobserve(walk._on_change, 'value')")
    try:
        player(cells).click()
        end_pauses(cells, len(STOPS[1:]))
        ended(cells)
        assert cells.lab.ask("walk.controls['step'].value") == len(STOPS[1:])
    finally:
        cells.lab.ask("walk.controls['step'].observe(walk._on_change, 'value')")


def test_another_control_moved_meanwhile_loses_nothing(cells):
    """Catches a picture of an older unit when a reader drags while the walk plays."""
    player(cells).click()
    unit = cells.box.get_by_role("slider", name="unit", exact=True)
    unit.focus()
    for _ in STOPS[1:]:
        for _ in range(10):
            cells.lab.page.keyboard.press("ArrowLeft")
        end_pauses(cells, 1)  # and the next step is on its way
    ended(cells)
    assert cells.lab.ask("(walk.data.unit, walk.values['unit'], walk.data.stop)") == (
        79,
        79,
        "state",
    )
    assert "unit 79, state" in cells.words()


def test_who_wants_no_motion_gets_single_steps(cells):
    """Catches a page that moves although its reader asked it not to."""
    page = cells.lab.page
    page.evaluate(MOVES)
    page.emulate_media(reduced_motion="reduce")
    try:
        expect(player(cells)).to_have_attribute("aria-label", "Next: step")
        player(cells).click()
        ended(cells)
        assert told(cells) == STOPS[1:2]
        assert page.evaluate("() => window.moves") == []
    finally:
        page.emulate_media(reduced_motion="no-preference")


def test_one_cell_becomes_the_other(cells):
    """Catches a drawing thrown away and made anew: nothing would move, the eye would be lost."""
    page = cells.lab.page
    cells.reach(next(c for c in cells.controls() if c.label == "step"))
    cells.press("End")
    page.evaluate(MOVES)
    page.evaluate(KEEP)
    before = cells.picture()
    cells.reach(next(c for c in cells.controls() if c.label == "cell"))
    assert cells.press("ArrowUp") != before
    assert page.evaluate(IS_KEPT)
    moves = page.evaluate("() => window.moves")
    for move in ("box-shower opacity", "valve-hear opacity", "valve-write d", "belt-old stroke"):
        assert move in moves
    assert "output: " in cells.words()
    assert cells.alt() == cells.words()
    assert cells.press("ArrowDown") == before


def test_the_saved_drawing_is_the_last_one(cells):
    """Catches a still of the first step, or one that a page without a kernel cannot show."""
    still = cells.lab.page.locator(".course-still")
    player(cells).click()
    end_pauses(cells, len(STOPS[1:]))
    ended(cells)
    words = cells.words()
    still.locator("figcaption", has_text=words).wait_for(state="attached")
    assert still.locator("img").get_attribute("src").startswith("data:image/svg+xml;base64,")
    assert still.locator("img").evaluate("img => img.decode().then(() => img.naturalWidth)") == 940
    output = cells.lab.page.evaluate(
        "() => window.course.panel.content.widgets[0].model.outputs.toJSON()"
        ".find((one) => one.data['image/svg+xml']).data['image/svg+xml']"
    )
    assert words.split(" (")[0] in "".join(output)
