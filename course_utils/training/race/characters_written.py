"""Which of the statements that two models write does Python compile, at what temperature and cut?

Both go on from the same places of held-out modules, with the same draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

from course_utils.analysis.characters.statements import (
    Model,
    judged,
    statement_starts,
    written_statements,
)
from course_utils.data.source_code import source_labels, source_text
from course_utils.data.vocabulary import words_of
from course_utils.models import NGramLM
from course_utils.results.files import Row
from course_utils.shipped import load_recurrent_lm
from course_utils.training.race.race import Lap, Race, register

ORDER, STATEMENTS = 12, 120
SHIPPED = "source_lstm"
WAYS: tuple[dict[str, Any], ...] = (
    *({"temperature": warm} for warm in (0.3, 0.6, 1.0)),
    {"temperature": 1.0, "top_k": 5},
    {"temperature": 1.0, "top_p": 0.8},
)


@cache
def writers() -> dict[str, Model]:
    """Return the shipped LSTM and the n-gram of the same text."""
    network = load_recurrent_lm(SHIPPED)
    words = words_of(network)
    counted = NGramLM(words, ORDER).fit(words.encode(source_text("train")))
    return {"LSTM": network, f"{ORDER}-gram": counted}


@cache
def beginnings() -> tuple[str, ...]:
    """Return what stands before statements of modules that neither model has read."""
    starts = statement_starts(source_text("test"), source_labels("test"), STATEMENTS)
    return tuple(starts)


def write(name: str, how: dict[str, Any]) -> list[Row]:
    """Return what became of a model's statements, one way of drawing."""
    found = judged(written_statements(writers()[name], beginnings(), **how), source_text("train"))
    return [{key: round(value, 4) for key, value in found.shares().items()}]


def laps(steps: int | None, device: str | None) -> Iterator[Lap]:
    """Yield every way of drawing for both models; nothing is trained, so `steps` has no effect."""
    for name in ("LSTM", f"{ORDER}-gram"):
        for how in WAYS:
            yield Lap({"model": name, "top_k": 0, "top_p": 1.0, **how}, partial(write, name, how))


def said(row: Row) -> str:
    """Say what one way of drawing gave."""
    where = f"temperature {row['temperature']}, top_k {row['top_k']}, top_p {row['top_p']}"
    return f"{row['model']}, {where}: {row['compiled']:.0%} compile"


RACE = register(
    Race(
        "characters_written",
        "statements of an LSTM and a 12-gram, compiled: lecture 07",
        laps,
        said,
    )
)
