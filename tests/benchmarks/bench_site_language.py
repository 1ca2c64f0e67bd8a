"""Lecture 01 on a page without a kernel: a walk through a sentence, and models that write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.benchmarks.bench_site import CHANGE, on_both_processors, row
from tests.benchmarks.measure import Row

if TYPE_CHECKING:
    from playwright.sync_api import Page

SHOWN = """claim("00.1", 2, low=1, high=3, says="It is {}.")
import torch
from course_utils.analysis.language import speeches
from course_utils.explorers import explore_generation, explore_sentence
from course_utils.models.language import NGramLM, RecurrentLM
from course_utils.shipped import load_trained
corpus = speeches(1961, 1988, words=5000)
torch.manual_seed(1)
explore_sentence()._ipython_display_()
explore_generation({
    "LSTM": load_trained("english_lstm"),
    "Elman": RecurrentLM(corpus.words, cell="elman", width=64, hidden=64).eval(),
    "trigram": NGramLM(corpus.words, order=3).fit(corpus.train),
})._ipython_display_()"""
SENTENCES = ["We want peace.", "the union is strong and free", "They will not yield to any power."]
PROMPTS = ["We must", "Tonight I ask", "The state of the union is"]
SPEAKERS = ("an LSTM", "an Elman network", "counts of three words")
CHOOSE = """async ([explorer, stop]) => {
  const figure = document.querySelectorAll(".explorer")[explorer];
  const list = figure.querySelector("select");
  const before = figure.dataset.at;
  list.selectedIndex = stop;
  list.dispatchEvent(new Event("change", { bubbles: true }));
  while (stop && figure.dataset.at === before)
    await new Promise((done) => requestAnimationFrame(done));
}"""
RANGE = "input[type=range]"


def rows() -> list[Row]:
    """Open one page at full speed and at a quarter of it, walk, and let every model write."""
    return on_both_processors(SHOWN, measured)


def measured(shown: Page, speed: str, drag: str) -> list[Row]:
    """Return a row for everything that a reader waits for."""
    typed = shown.evaluate(CHANGE, [0, "input[type=text]", ["", *SENTENCES]])
    walked = shown.evaluate(CHANGE, [0, RANGE, [str(n) for n in range(14)]])
    found = [
        row(f"a typed sentence, there and back {speed}", typed, "<= 700"),
        row(f"a step of it {speed}", walked, drag),
    ]
    for number, who in enumerate(SPEAKERS):
        shown.evaluate(CHOOSE, [1, number])
        heated = shown.evaluate(CHANGE, [1, RANGE, [str(n) for n in (8, *range(21))]])
        drawn = shown.evaluate(CHANGE, [1, f".control:last-child {RANGE}", [*map(str, range(20))]])
        prompts = shown.evaluate(CHANGE, [1, "input[type=text]", ["", *PROMPTS]])
        found += [
            row(f"{who} writes at another temperature {speed}", heated, drag),
            row(f"{who} writes with another draw {speed}", drawn, drag),
            row(f"{who} goes on with a typed prompt {speed}", prompts, "<= 700"),
        ]
    return found
