"""Any text of a counting language, letter by letter."""

from __future__ import annotations

import re
from functools import lru_cache

from course_utils.analysis.counting.acceptance import read_story
from course_utils.analysis.counting.by_hand import counting_elman, counting_lstm
from course_utils.data.counting import (
    DYCK,
    POWERS_OF_THREE,
    POWERS_OF_TWO,
    SHUFFLE,
    Language,
)
from course_utils.explorers.counting.cells import counters_of, shipped_counter
from course_utils.explorers.counting.twin import twin_of_reading
from course_utils.explorers.machinery.controls import choice, text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.models import RecurrentLM
from course_utils.numbers import number
from course_utils.plots.counting.reading import OneReading, ReadingDrawing

OFFERED = ("aaab", "a^12 b^12", "a^12 b^13", "a^30 b^30", "a^5 b^5 c^5", "(()", "([)]")
LONGEST = 400  # letters of a reader's text
LANGUAGES: dict[str, Language] = {
    "ab": POWERS_OF_TWO,
    "abc": POWERS_OF_THREE,
    "()": DYCK,
    "([": SHUFFLE,
}
READERS = {
    "trained LSTM, a^n b^n": ("ab", "lstm"),
    "trained GRU, a^n b^n": ("ab", "gru"),
    "trained LSTM, a^n b^n c^n": ("abc", "lstm"),
    "trained GRU, a^n b^n c^n": ("abc", "gru"),
    "LSTM made by hand, a^n b^n": ("ab", "hand"),
    "ReLU network made by hand, a^n b^n": ("ab", "relu"),
    "LSTM made by hand, brackets ( )": ("()", "hand"),
    "LSTM made by hand, brackets ( ) and [ ]": ("([", "hand"),
}
NAMES = {"lstm": "LSTM", "gru": "GRU", "hand": "LSTM made by hand", "relu": "ReLU network"}
SAMPLE = {"ab": "aaaabbbb", "abc": "aaabbbccc", "()": "(()(()))", "([": "([(])[])"}


def explore_reading() -> Explorer:
    """Let the reader write a text, and see what a network allows after every letter."""
    return Explorer(
        "Write a text: what may come next?",
        {
            "reader": choice("who reads", list(READERS.items())),
            "text": text(
                "the text", SAMPLE["ab"], "letters of its language: aaabbb, or a^12 b^12", OFFERED
            ),
        },
        one_reading,
        ReadingDrawing(),
        tabulate_reading,
        twin=twin_of_reading(counters_of, _reader, READERS, NAMES, LANGUAGES, SAMPLE),
    )


def one_reading(reader: tuple[str, str], text: str) -> OneReading:
    """Let a network read a text; one in another language's letters is replaced by a sample."""
    letters, kind = reader
    language, text = LANGUAGES[letters], written_out(text)
    if text and not set(text) & set(language.letters) and set(text) <= set("abc()[]"):
        text = SAMPLE[letters]
    if len(text) > LONGEST:
        raise ValueError(f"the picture has room for {LONGEST} letters, and this text is longer")
    model = _reader(letters, kind)
    story = read_story(model, language, text)
    trained = kind in ("lstm", "gru")
    return OneReading(
        NAMES[kind],
        text,
        language.symbols,
        story.states.numpy(),
        counters_of(letters, kind) if trained else (0,),
        story.says.numpy(),
        story.truth.numpy(),
        story.refused_after,
        language.accepts(text),
    )


def written_out(text: str) -> str:
    """Return a text without spaces, powers such as a^12 written out."""

    def run(match: re.Match[str]) -> str:
        return match[1] * min(int(match[2]), LONGEST + 1)

    return re.sub(r"(\S)\^(\d+)", run, "".join(text.split()))


def tabulate_reading(seen: OneReading) -> Table:
    """Return for every letter the counter and the symbols allowed next, by network and by rules."""
    unit = seen.counters[0]
    rows = [
        (
            letter,
            number(seen.states[t, unit], 3),
            "".join(s for s, on in zip(seen.symbols, seen.says[t], strict=True) if on),
            "".join(s for s, on in zip(seen.symbols, seen.truth[t], strict=True) if on),
        )
        for t, letter in enumerate(("start", *seen.text))
    ]
    return Table(("letter", f"cell {unit + 1}", "the network allows", "the rules allow"), rows)


@lru_cache(maxsize=8)
def _reader(letters: str, kind: str) -> RecurrentLM:
    if kind == "hand":
        return counting_lstm(LANGUAGES[letters])
    return counting_elman() if kind == "relu" else shipped_counter(letters, kind)
