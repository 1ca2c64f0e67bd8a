"""A walk that plays by itself, and a cell that becomes the other before the reader's eyes."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.explorer_page import ExplorerPage

pytestmark = [pytest.mark.browser, pytest.mark.slow]

STOPS = ["update", "reset", "candidate", "state"]
WATCH = """() => {
  const words = document.querySelector(".course-explorer .course-words");
  const note = () => window.told.push(words.textContent.match(/, (\\w+): /)?.[1]);
  window.told = [];
  new MutationObserver(note).observe(words, { childList: true, subtree: true });
}"""
MOVES = """() => {
  window.moves = [];
  document.addEventListener("transitionrun", ({ target, propertyName }) => {
    const key = target.closest("g[data-key]").dataset.key;
    window.moves.push(`${key} ${propertyName}`);
  });
}"""
KEEP = "() => { window.kept = document.querySelector('[data-key=box-keeper]'); }"
IS_KEPT = "() => window.kept === document.querySelector('[data-key=box-keeper]')"


@pytest.fixture
def cells(open_notebook):
    """Return a walk of one word through a GRU: four stops."""
    explorer = ExplorerPage(open_notebook("cells.ipynb").run_all())
    line = explorer.box.get_by_role("textbox", name="or your own")
    line.fill("the")
    line.press("Enter")
    explorer.lab.settle()
    explorer.lab.page.evaluate(WATCH)
    return explorer


def player(explorer: ExplorerPage):
    """Return the button beside the slider of steps."""
    return explorer.box.locator(".course-play")


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
    ended(cells)
    assert told(cells) == STOPS[1:]
    assert cells.lab.ask("(walk.values['step'], walk.data.stop)") == (3, "state")
    shown = cells.picture()
    cells.lab.ask("walk.redraw()")
    cells.lab.settle()
    assert cells.picture() == shown
    cells.lab.page.keyboard.press("Enter")
    ended(cells)
    assert told(cells) == STOPS[1:] + STOPS
    assert cells.lab.problems() == []


def test_a_pause_stays_where_it_is(cells):
    """Catches a button that cannot stop what it began."""
    player(cells).click()
    cells.lab.page.wait_for_function("() => window.told.length === 1")
    player(cells).click()
    ended(cells)
    assert player(cells).get_attribute("data-does") == "Play"
    cells.lab.page.wait_for_timeout(1500)  # longer than one pause: nothing may happen
    assert told(cells) == STOPS[1:2]


def test_another_control_moved_meanwhile_loses_nothing(cells):
    """Catches a picture of an older unit when a reader drags while the walk plays."""
    player(cells).click()
    unit = cells.box.get_by_role("slider", name="unit", exact=True)
    unit.focus()
    for _ in range(30):
        cells.lab.page.keyboard.press("ArrowLeft")
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
