"""The same text read by an LSTM and a GRU, with all their cells."""

from __future__ import annotations

from functools import lru_cache

from course_utils.analysis.counting.acceptance import read_story
from course_utils.analysis.counting.counters import choose_counter
from course_utils.data.counting import Powers
from course_utils.explorers.counting.twin import twin_of_counters
from course_utils.explorers.machinery.controls import choice, slider
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.models import RecurrentLM
from course_utils.plots.counting.cells import Cells, CellsDrawing, TwoNetworks
from course_utils.shipped import load_recurrent_lm

MOST = 1000
MODELS = {"ab": "counting", "abc": "counting_three"}
COUNTS = {"ab": (("a", "b"),), "abc": (("a", "b"), ("b", "c"))}
ENDINGS = {
    "as many of each": "",
    "one letter too few at the end": "few",
    "one letter too many at the end": "many",
}


def explore_counters() -> Explorer:
    """Let the reader count up, and see which network still knows when to stop."""
    return Explorer(
        "Who is still counting?",
        {
            "letters": choice("language", [("a^n b^n", "ab"), ("a^n b^n c^n", "abc")], "ab"),
            "n": slider("n", 1, MOST, 30, 1),
            "ending": choice("the text has", list(ENDINGS.items()), ""),
        },
        two_networks,
        CellsDrawing(),
        tabulate_cells,
        twin=twin_of_counters(counters_of),
    )


def two_networks(letters: str, n: int, ending: str) -> TwoNetworks:
    """Let both shipped networks read a^n b^n, or a near miss of it."""
    language = Powers(letters)
    text = language.member(n)
    text = {"": text, "few": text[:-1], "many": text + letters[-1]}[ending]
    left, right = (_cells(letters, cell, text) for cell in ("lstm", "gru"))
    return TwoNetworks(text, left, right, language.accepts(text))


def tabulate_cells(seen: TwoNetworks) -> Table:
    """Return the counters at some twenty steps."""
    text, sides = seen.text, (seen.left, seen.right)
    steps = range(0, len(text) + 1, max(1, len(text) // 20))
    headers = ["letters read", "last letter"]
    headers += [f"{side.name}, cell {unit + 1}" for side in sides for unit in side.counters]
    rows = [
        (t, text[t - 1] if t else "", *(s.states[t, unit] for s in sides for unit in s.counters))
        for t in steps
    ]
    return Table(tuple(headers), rows)


def _cells(letters: str, cell: str, text: str) -> Cells:
    story = read_story(shipped_counter(letters, cell), Powers(letters), text)
    counters = counters_of(letters, cell)
    return Cells(cell.upper(), story.states.numpy(), counters, story.accepted, story.first_mistake)


@lru_cache(maxsize=8)
def shipped_counter(letters: str, cell: str) -> RecurrentLM:
    """Return the network that comes with the course."""
    return load_recurrent_lm(f"{MODELS[letters]}_{cell}")


@lru_cache(maxsize=8)
def counters_of(letters: str, cell: str) -> tuple[int, ...]:
    """Return the cell that follows each of the language's counts best."""
    model = shipped_counter(letters, cell)
    found = (choose_counter(model, letters, *count, shuffles=0).unit for count in COUNTS[letters])
    return tuple(dict.fromkeys(found))
