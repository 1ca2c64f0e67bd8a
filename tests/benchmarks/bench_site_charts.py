"""Explorers whose pictures a page draws itself: the first touch, a drag, a typed line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.benchmarks.bench_site import CHANGE, on_both_processors, row
from tests.benchmarks.measure import Row

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMES = {
    "explore_number_unit": "one unit of 06",
    "explore_units": "a coloured text of 07",
    "explore_iterated_map": "the map of 02",
    "explore_cliff": "the cliff of 02",
    "explore_latch": "the latch of 03",
    "explore_precision": "few bits of 05",
}
SHOWN = "\n".join(
    (
        'claim("00.1", 2, low=1, high=3, says="It is {}.")',
        f"from course_utils.explorers import {', '.join(NAMES)}",
        *(f"{name}()._ipython_display_()" for name in NAMES),
    )
)
TYPED = {
    "explore_number_unit": ["the dogs near the tree", "the friends of the king", "many wolves"],
    "explore_units": ["x = 'one'", "print('a string', len(names))  # and a comment", "y = 2"],
}


def rows() -> list[Row]:
    """Open one page at full speed and at a quarter of it, and move what it draws."""
    return on_both_processors(SHOWN, measured)


def measured(shown: Page, speed: str, drag: str) -> list[Row]:
    """Return rows for every explorer."""
    found = []
    for number, (name, what) in enumerate(NAMES.items()):
        begun = shown.evaluate("performance.now()")
        shown.evaluate(CHANGE, [number, "input[type=range]", ["1"]])
        touch = shown.evaluate("performance.now()") - begun
        found.append(Row(f"{what}: the first touch {speed}", touch, unit="ms"))
        moved = shown.evaluate(CHANGE, [number, "input[type=range]", [*map(str, range(2, 10))]])
        found.append(row(f"{what}: a drag {speed}", moved, drag))
        if name in TYPED:
            typed = shown.evaluate(CHANGE, [number, "input[type=text]", TYPED[name]])
            found.append(row(f"{what}: a typed line {speed}", typed, "<= 700"))
    return found
