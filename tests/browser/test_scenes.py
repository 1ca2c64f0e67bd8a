"""What a page draws of a scene is what matplotlib's own Agg draws, on every explorer."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from course_utils import explorers
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.plots.scene.scene import Scene
from tests.browser.scenes import SCRIPT, ScenePage, agg, disagreement
from tests.explorers.tour import positions

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MOST = 3  # places of 2 x 2 pixels, of half a million: a mark of a tick has 9
SHAPES = [  # drawn without matplotlib
    *("explore_elmo_walk", "explore_lstm_walk", "explore_gru_walk"),
    *("explore_held", "explore_span", "explore_units", "explore_writing"),
]


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[ScenePage]:
    """Return a page for two pictures."""
    shown = ScenePage(browser)
    yield shown
    shown.page.close()


def moved(explorer: Explorer, chance: random.Random) -> Iterator[str]:
    """Show the start, then pictures in which every control stands where it was put by chance."""
    yield "at the start"
    for control in explorer.controls.values():
        control.value = chance.choice(positions(control))
    yield f"{explorer.values}"


@pytest.mark.parametrize("name", [name for name in explorers.__all__ if name not in SHAPES])
def test_a_scene_is_what_agg_draws(page, name):
    """Catches what is missing, moved by half a pixel, of another colour, style or order."""
    explorer = getattr(explorers, name)()
    for place, light in zip(moved(explorer, random.Random(name)), (False, True), strict=True):
        found = disagreement(*page.both(explorer.image.now, agg(explorer.image.canvas), light))
        assert found <= MOST, f"{place}, {'light' if light else 'dark'}"
    explorer.close()


@pytest.mark.parametrize("name", ["explore_echo", "explore_sense_mix"])
def test_the_smallest_difference_is_seen(page, name):
    """Catches a comparison that nothing can fail: a part left out, or moved by a pixel."""
    explorer = getattr(explorers, name)()
    scene, png = explorer.image.now, agg(explorer.image.canvas)
    for part, svg in scene.parts.items():
        if not svg.startswith(("<g", "<path", "<text")) or 'fill="#ffffff"' in svg:
            continue
        for changed in ("", f'<g transform="translate(1.6 1.6)">{svg}</g>'):
            other = Scene(scene.width, scene.height, {**scene.parts, part: changed}, scene.look)
            assert disagreement(*page.both(other, png)) > MOST, (part, changed[:60], svg[:200])
    explorer.close()


def test_a_picture_lends_nothing_to_another(browser):
    """Catches names shared by widgets that load the script twice: on a slide the first is hidden.

    What is hidden has no hatching to lend, and the bars of the second were white.
    """
    explorer = explorers.explore_sense_mix()
    scene = {"number": 0, **explorer.image.now.whole()}
    page = browser.new_page()
    page.set_content("<div id=first></div><div id=second></div>")
    for place in ("first", "second"):
        draw = f"openScene(document.querySelector('#{place}'))({json.dumps(scene)})"
        page.evaluate(f"() => {{ {SCRIPT}; {draw} }}")
    shared = page.evaluate(
        """() => { const names = (place) =>
          [...document.querySelectorAll(`#${place} [id]`)].map((one) => one.id);
          return names("first").filter((id) => names("second").includes(id)); }"""
    )
    assert page.locator("#second pattern").count() > 0
    assert shared == []
    page.close()
    explorer.close()


def test_a_thousand_moves_leave_nothing_behind(page):
    """Catches elements, names or texts that pile up in a page while a slider moves."""
    explorer = explorers.explore_iterated_map()
    control = next(iter(explorer.controls.values()))
    lowest, highest = positions(control)[:2]
    sizes = []
    for move in range(20):
        control.value = (lowest, highest)[move % 2]
        sizes.append(page.moved_on(explorer.image.now, times=50))
    assert sizes[2::2] == sizes[2:3] * 9
    assert sizes[3::2] == sizes[3:4] * 9
    explorer.close()
