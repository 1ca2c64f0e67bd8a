"""A page without a kernel, from its folder: the first picture, a drag, a typed line."""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from course_utils.site.build import build_site
from tests.benchmarks.measure import Row
from tests.browser.chromium import browser, missing
from tests.tools.lesson import write_lesson

if TYPE_CHECKING:
    from playwright.sync_api import Page

PHONE = {"width": 390, "height": 844}
SHOWN = (
    'claim("00.1", 2, low=1, high=3, says="It is {}.")\n'
    "from course_utils import explorers\n"
    "explorers.explore_gru_walk().{show}\nexplorers.explore_reading().{show}\n"
    "explorers.explore_counters().{show}"
).replace("{show}", "_ipython_display_()")
# From the beginning of the navigation until the first picture is decoded and drawn.
FIRST = """async () => {
  const picture = document.querySelector(".explorer img");
  picture.scrollIntoView();
  await picture.decode();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now();
}"""
# Milliseconds of each change, the last drawn frame included.
CHANGE = """async ([explorer, selector, values]) => {
  const figure = document.querySelectorAll(".explorer")[explorer];
  const input = figure.querySelector(selector);
  const taken = [];
  for (const value of values) {
    const begun = performance.now();
    const shown = new Promise((done) => new MutationObserver((_, watch) => {
      watch.disconnect();
      done();
    }).observe(figure, { attributeFilter: ["data-at"] }));
    input.value = value;
    const kind = input.type === "range" ? "input" : "change";
    input.dispatchEvent(new Event(kind, { bubbles: true }));
    await shown;
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    taken.push(performance.now() - begun);
  }
  return taken.slice(1);
}"""
SENTENCES = [
    "The first one brings the models.",
    "The people of the United States are free, and they are at peace with all the world.",
    "Our relations with Spain, which were friendly once, are now the question of the day.",
]
TEXTS = ["ab", "a^30b^30", "aabbaabb", "a^150b^149", "((()))"]


def rows() -> list[Row]:
    """Open one page at full speed and at a quarter of it, and move its twins."""
    return on_both_processors(SHOWN, measured)


def on_both_processors(
    cell: str,
    measured: Callable[[Page, str, str], list[Row]],
    weigh: Callable[[Path], list[Row]] = lambda _page: [],
) -> list[Row]:
    """Build a page of one cell, weigh it, and measure it here and at a quarter of the speed.

    `measured` gets the open page, what to call its processor, and the bar for a drag there.
    """
    if reason := missing():
        return [Row(f"not measured: {reason}", float("nan"))]
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        write_lesson(Path(folder), claim=cell)
        os.environ["COURSE_SITE_RUNS"] = str(Path(folder, "runs"))
        try:
            built = build_site(Path(folder, "notebooks"), Path(folder, "site"))
        finally:
            del os.environ["COURSE_SITE_RUNS"]
        page = built.page.with_name("00_small.html")
        found = weigh(page)
        for slower, speed, drag in ((1, "here", "<= 50"), (4, "at a processor x 1/4", "<= 120")):
            with chromium.new_context(viewport=PHONE) as context:
                shown = context.new_page()
                throttle = context.new_cdp_session(shown)
                throttle.send("Emulation.setCPUThrottlingRate", {"rate": slower})
                shown.goto(page.as_uri())
                found += measured(shown, speed, drag)
        return found


def measured(shown: Page, speed: str, drag: str) -> list[Row]:
    """Return a row for everything that a reader waits for."""
    first = shown.evaluate(FIRST)
    walk = shown.evaluate(CHANGE, [0, "input[type=range]", [str(n) for n in range(20)]])
    unit = shown.evaluate(CHANGE, [2, "input[type=range]", [str(n) for n in range(20, 40)]])
    typed = shown.evaluate(CHANGE, [0, "input[type=text]", SENTENCES])
    text = shown.evaluate(CHANGE, [1, "input[type=text]", TEXTS])
    return [
        row(f"first picture {speed}", [first], "<= 1000"),
        row(f"a step of the walk through a GRU {speed}", walk, drag),
        row(f"a step of n, up to 40, in two counters {speed}", unit, drag),
        row(f"a typed sentence, LSTM or GRU {speed}", typed, "<= 700"),
        row(f"a typed text of 05 {speed}", text, "<= 700"),
    ]


def row(what: str, taken: list[float], bar: str) -> Row:
    """Return the median, and the longest beside it."""
    detail = f"longest {max(taken):.0f} ms of {len(taken)}"
    return Row(what, statistics.median(taken), bar, detail, "ms")
