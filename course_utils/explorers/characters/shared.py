"""What the explorers of characters share: the shipped model, a text it has not read, its units."""

from __future__ import annotations

import re
from functools import lru_cache

from course_utils.analysis.characters.writing import Writer
from course_utils.data.source_code import source_modules
from course_utils.models import RecurrentLM
from course_utils.shipped import load_recurrent_lm

STRING_UNIT = 237  # its cell says "inside quotes": what lecture 07 finds, and a test finds again
MOST = 20_000  # characters of a reader's text
SAMPLE = 1_500  # characters of ours
OWN_LINES = (  # that a page without a kernel offers
    "for name in ('a', 'b'):  # in quotes\\n    print(names[name])",
    'text = \'it is not "closed" yet',
)


WORDS_IN_QUOTES = [re.compile(rf"(?<![\w'\"]){quote}[\w ,.:%-]{{6,}}{quote}") for quote in "'\""]


@lru_cache(maxsize=1)
def network() -> RecurrentLM:
    """Return the shipped model of source code."""
    return load_recurrent_lm("source_lstm")


@lru_cache(maxsize=1)
def writer() -> Writer:
    """Return the same, ready for single steps."""
    return Writer(network())


@lru_cache(maxsize=1)
def held_out_text() -> str:
    """Return whole lines of a module that the model has not read, with strings of both quotes."""

    def mixed(text: str) -> int:
        return min(sum(map(len, kind.findall(text))) for kind in WORDS_IN_QUOTES)

    beginnings = [
        module.text[start : start + SAMPLE]
        for module in source_modules("test")
        for start in (3000, 6000, 9000)
        if len(module.text) > start + SAMPLE
    ]
    best = max(beginnings, key=mixed)
    return best[best.index("\n") + 1 : best.rindex("\n") + 1]


def typed_text(own: str) -> str:
    """Return a reader's line, with line ends where \\n was typed."""
    return own.replace("\\n", "\n").replace("\\t", "\t")
