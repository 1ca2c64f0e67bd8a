"""Fill a gap in any sentence from the left, from the right, and from both."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor

from course_utils.analysis.elmo.judged import SIDES, Filled, fill, log_shares
from course_utils.explorers.elmo.shared import shipped, tokens_of, training_texts, word_slider
from course_utils.explorers.elmo.twin import twin_of_gap
from course_utils.explorers.machinery.controls import text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.elmo.gap import SHOWN, GapDrawing, GapView, SideView
from course_utils.plots.glyphs import readable
from course_utils.settings import UNKNOWN

SENTENCE = "The United States of America is at peace with all nations."
MOST_WORDS = 25
OFFERED = ("I ask the Congress to pass this bill now.", "It was the best year of our history.")


def explore_gap(sentence: str = SENTENCE, word: int = 8) -> Explorer:
    """Take a word out of a sentence and ask both directions for it."""
    typed = text("sentence", sentence, "a sentence (Enter)", OFFERED)
    return Explorer(
        "Fill the gap",
        {
            "typed": typed,
            "word": word_slider("gap at word number", typed, MOST_WORDS, SENTENCE, word),
        },
        view_of,
        GapDrawing(),
        tabulate_gap,
        twin=twin_of_gap(MOST_WORDS, SENTENCE),
    )


def view_of(typed: str, word: int) -> GapView:
    """Return what is expected; a word number beyond the end means the last word."""
    tokens, note = tokens_of(typed, MOST_WORDS, SENTENCE)
    if word > len(tokens):
        word, note = len(tokens), f"{note} There is no word {word}: this is the last.".strip()
    model, at = shipped(), word - 1
    answer = int(model.numbers([tokens[at]]))
    filled = _filled(tuple(tokens))[at]
    sides = {
        side: _one_side(log_p, answer) for side, log_p in zip(SIDES, filled, strict=True)
    }  # fmt: skip
    return GapView(tokens, at, model.words[answer] != UNKNOWN, sides, note)


def _one_side(log_p: Tensor, answer: int) -> SideView:
    best = log_p.topk(SHOWN)
    words = [shipped().words[n] for n in best.indices.tolist()]
    rank = 1 + int((log_p > log_p[answer]).sum())
    return SideView(words, best.values.exp().numpy(), rank, float(log_p[answer].exp()))


def tabulate_gap(view: GapView) -> Table:
    """Return the likeliest words of every side."""
    rows = [
        (side, n + 1, readable(word), float(p))
        for side, found in view.sides.items()
        for n, (word, p) in enumerate(zip(found.words, found.shares, strict=True))
    ]
    return Table(("side", "place", "word", "probability"), rows)


@lru_cache(maxsize=8)
def _filled(tokens: tuple[str, ...]) -> list[Filled]:
    return fill(shipped(), tokens, _shares())


@lru_cache(maxsize=1)
def _shares() -> Tensor:
    with torch.no_grad():
        return log_shares(shipped(), training_texts())
