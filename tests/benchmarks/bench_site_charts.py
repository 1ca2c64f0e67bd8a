"""Explorers whose pictures a page draws itself: the first touch, a drag, a typed line."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from course_utils.site.build import build_site
from tests.benchmarks.bench_site import CHANGE, PHONE, row
from tests.benchmarks.measure import Row
from tests.browser.chromium import browser, missing
from tests.tools.lesson import write_lesson

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
    if reason := missing():
        return [Row(f"not measured: {reason}", float("nan"))]
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        write_lesson(Path(folder), claim=SHOWN)
        os.environ["COURSE_SITE_RUNS"] = str(Path(folder, "runs"))
        try:
            built = build_site(Path(folder, "notebooks"), Path(folder, "site"))
        finally:
            del os.environ["COURSE_SITE_RUNS"]
        page = built.page.with_name("00_small.html")
        return [one for slower in (1, 4) for one in measured(chromium, page, slower)]


def measured(chromium, page: Path, slower: int) -> list[Row]:
    """Return rows for every explorer, on a processor so many times slower."""
    context = chromium.new_context(viewport=PHONE)
    shown = context.new_page()
    context.new_cdp_session(shown).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    shown.goto(page.as_uri())
    speed = f"at a processor x 1/{slower}" if slower > 1 else "here"
    drag, found = "<= 50" if slower == 1 else "<= 120", []
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
    context.close()
    return found
