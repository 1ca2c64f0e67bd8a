"""ELMo in a page without a kernel: what it weighs, a typed sentence, another word of it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from course_utils.site.build import build_site
from tests.benchmarks.bench_site import CHANGE, FIRST, PHONE, row
from tests.benchmarks.measure import Row
from tests.browser.chromium import browser, missing
from tests.tools.lesson import write_lesson

SHOWN = (
    'claim("00.1", 2, low=1, high=3, says="It is {}.")\n'
    "from course_utils.explorers import explore_gap, explore_layers\n"
    "explore_gap()._ipython_display_()\nexplore_layers()._ipython_display_()"
)
SENTENCES = [
    "The first one brings the model.",
    "The people of the United States are free, and they are at peace with all the world.",
    "Our relations with Spain, which were friendly once, are now the question of the day, "
    "and nobody knows what the Congress will say of it.",  # 25 words: the longest that is read
    "It was the best year of our history.",
]


def rows() -> list[Row]:
    """Open one page at full speed and at a quarter of it, type, and move along the words."""
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
        script = page.with_name("models") / "course_elmo.js"
        weight = Row("the model's script", script.stat().st_size / 1e6, unit="MB")
        return [weight, *(one for slower in (1, 4) for one in measured(chromium, page, slower))]


def measured(chromium, page: Path, slower: int) -> list[Row]:
    """Return a row for everything that a reader waits for, on a processor so many times slower."""
    context = chromium.new_context(viewport=PHONE)
    shown = context.new_page()
    context.new_cdp_session(shown).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    shown.goto(page.as_uri())
    speed = f"at a processor x 1/{slower}" if slower > 1 else "here"
    first = shown.evaluate(FIRST)
    begun = shown.evaluate("performance.now()")
    typed = shown.evaluate(CHANGE, [0, "input[type=text]", SENTENCES[:2]])
    until = shown.evaluate("performance.now()") - begun - sum(typed)
    typed += shown.evaluate(CHANGE, [0, "input[type=text]", SENTENCES[1:]])
    words = shown.evaluate(CHANGE, [0, "input[type=range]", [str(n) for n in range(8)]])
    layers = shown.evaluate(CHANGE, [1, "input[type=text]", SENTENCES])
    word = shown.evaluate(CHANGE, [1, "input[type=range]", ["0", "1", "2", "0", "1"]])
    context.close()
    drag = "<= 50" if slower == 1 else "<= 120"
    return [
        row(f"first picture {speed}", [first], "<= 1000"),
        Row(f"the first touch, which brings the model, {speed}", until, unit="ms"),
        row(f"a typed sentence with a gap {speed}", typed, "<= 700"),
        row(f"another word of it {speed}", words, drag),
        row(f"a typed sentence in three layers {speed}", layers, "<= 700"),
        row(f"another layer of it {speed}", word, drag),
    ]
