"""Type any word: which filters fire on which letters, and which words are spelled alike."""

from __future__ import annotations

from functools import lru_cache

from course_utils.analysis.elmo.letters import Spelled
from course_utils.explorers.elmo.shared import letter_index, training_texts
from course_utils.explorers.machinery.controls import choice, slider, text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.elmo.letters import FAVOURITES, FILTERS, NEAREST, LetterDrawing, LetterView

WORDS = ("sticking", "agreeements", "blockchain", "unforgivably", "Congress", "1,250,000")
OFFERED = ("sticks", "unsticky", "Schmidhuber", "recieve", "unbelievably")
LONGEST = 40  # letters of a word that are read


def explore_letters(word: str = WORDS[0]) -> Explorer:
    """Look at a word through the character CNN: known, unknown or misspelt."""
    words = [word, *(other for other in WORDS if other != word)]
    return Explorer(
        "What do filters see in a word?",
        {
            "word": choice("word", words),
            "own": text("or your own", "", "any letters: a name, a typo, 語 (Enter)", OFFERED),
            "rank": slider("filter, 1 fires most", 1, FILTERS, 1, 1),
        },
        view_of,
        LetterDrawing(),
        tabulate_filters,
    )


def view_of(word: str, own: str, rank: int) -> LetterView:
    """Return what the filters find in the first word that was typed, or in the chosen one."""
    typed = own.split()
    word, note = (typed[0] if typed else word), ""
    if len(typed) > 1 or len(word) > LONGEST:
        word, note = word[:LONGEST], f"Only the first {LONGEST} letters of the first word are read."
    spelled, nearest = _looked_up(word)
    chosen = spelled.fired[rank - 1]
    return LetterView(
        word,
        spelled.letters,
        spelled.fired,
        rank - 1,
        _favourites(chosen.number),
        nearest,
        word in _read_in_training(),
        note,
    )


def tabulate_filters(view: LetterView) -> Table:
    """Return every filter that is shown, and what it sees."""
    headers = ("filter", "letters wide", "sees", "standard deviations")
    return Table(headers, [(f.number, f.width, f.letters, f.strength) for f in view.fired])


@lru_cache(maxsize=64)
def _looked_up(word: str) -> tuple[Spelled, list[tuple[str, float]]]:
    return letter_index().spelled(word, FILTERS), letter_index().nearest(word, NEAREST)


@lru_cache(maxsize=512)
def _favourites(number: int) -> list[tuple[str, str, float]]:
    return letter_index().favourites(number, FAVOURITES)


@lru_cache(maxsize=1)
def _read_in_training() -> frozenset[str]:
    return frozenset(w for text in training_texts() for sentence in text for w in sentence)
