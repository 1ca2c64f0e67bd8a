"""ELMo in a page without a kernel: what it weighs, a typed sentence, another word of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.bench_site import CHANGE, FIRST, on_both_processors, row
from tests.benchmarks.measure import Row

if TYPE_CHECKING:
    from playwright.sync_api import Page

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
    return on_both_processors(SHOWN, measured, weigh)


def weigh(page: Path) -> list[Row]:
    """Return what a page fetches at the first touch."""
    script = page.with_name("models") / "course_elmo.js"
    return [Row("the model's script", script.stat().st_size / 1e6, unit="MB")]


def measured(shown: Page, speed: str, drag: str) -> list[Row]:
    """Return a row for everything that a reader waits for."""
    first = shown.evaluate(FIRST)
    begun = shown.evaluate("performance.now()")
    typed = shown.evaluate(CHANGE, [0, "input[type=text]", SENTENCES[:2]])
    until = shown.evaluate("performance.now()") - begun - sum(typed)
    typed += shown.evaluate(CHANGE, [0, "input[type=text]", SENTENCES[1:]])
    words = shown.evaluate(CHANGE, [0, "input[type=range]", [str(n) for n in range(8)]])
    layers = shown.evaluate(CHANGE, [1, "input[type=text]", SENTENCES])
    word = shown.evaluate(CHANGE, [1, "input[type=range]", ["0", "1", "2", "0", "1"]])
    return [
        row(f"first picture {speed}", [first], "<= 1000"),
        Row(f"the first touch, which brings the model, {speed}", until, unit="ms"),
        row(f"a typed sentence with a gap {speed}", typed, "<= 700"),
        row(f"another word of it {speed}", words, drag),
        row(f"a typed sentence in three layers {speed}", layers, "<= 700"),
        row(f"another layer of it {speed}", word, drag),
    ]
