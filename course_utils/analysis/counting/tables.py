"""Tables of moves: which languages do counters judge that only add and take off?

A text is accepted when no counter ever falls below 0 and all of them end at 0. All texts of a
language up to some length are judged by all tables at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from course_utils.data.counting import Language

STEPS = (-1, 0, 1)


def texts_up_to(letters: str, longest: int) -> list[str]:
    """Return every text of these letters with 1 to `longest` of them, the shortest first."""
    return [
        "".join(text)
        for length in range(1, longest + 1)
        for text in product(letters, repeat=length)
    ]


def judged_by(moves: Mapping[str, Sequence[int]], text: str) -> bool:
    """Return whether counters that move by a table accept a text."""
    counts = np.cumsum([moves[letter] for letter in text], axis=0)
    return bool((counts >= 0).all() and (counts[-1] == 0).all())


def first_wrong(moves: Mapping[str, Sequence[int]], language: Language, longest: int) -> str | None:
    """Return the shortest text that a table judges wrongly, None if it is right about all."""
    texts = texts_up_to(language.letters, longest)
    wrong = (text for text in texts if judged_by(moves, text) != language.accepts(text))
    return next(wrong, None)


def tables_that_judge(language: Language, counters: int, longest: int) -> tuple[int, int]:
    """Return how many tables with steps of -1, 0 and 1 judge every text right, and of how many.

    Tables are dropped at their first wrong text, so that few are left for the many long ones.
    """
    one = np.array(list(product(STEPS, repeat=len(language.letters))))  # (3^V, V)
    each = np.stack(np.meshgrid(*[np.arange(len(one))] * counters, indexing="ij"), axis=-1)
    tables = one[each.reshape(-1, counters)]  # (tables, counters, V)
    tried = len(tables)
    for text in texts_up_to(language.letters, longest):
        places = [language.letters.index(letter) for letter in text]
        counts = tables[:, :, places].cumsum(axis=-1)
        accepts = (counts >= 0).all(axis=(1, 2)) & (counts[..., -1] == 0).all(axis=1)
        tables = tables[accepts == language.accepts(text)]
    return len(tables), tried
