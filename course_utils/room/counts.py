"""What may be written down of a vote: how many, by choice or by power of ten, and not of a few."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from course_utils.room.asked import Asked
from course_utils.room.ballot import counted

FEWEST = 5  # answers, below which they could be somebody's


def counts_of(asked: Asked, closed: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the counts of a vote, without a single answer; None of a vote with few."""
    answers = counted(closed)
    if answers < FEWEST:
        return None
    by: dict[str, int] = {}
    if "counts" in closed:
        by = dict(zip(asked.options, closed["counts"], strict=True))
    elif "numbers" in closed:
        by = dict(Counter(map(_size, sorted(closed["numbers"]))))
    return {"prediction": asked.name, "answers": answers, "by": by}


def note_counts(file: Path, asked: Asked, closed: Mapping[str, object]) -> None:
    """Add the counts of a vote to a file, one line each; a full disk ends no vote."""
    counts = counts_of(asked, closed)
    if not counts:
        return
    try:
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(counts) + "\n")
    except OSError as error:
        print(f"The counts of {asked.name} were not kept: {error}", flush=True)


def _size(number: float) -> str:
    if number <= 0:
        return "below 0" if number else "0"
    power = math.floor(math.log10(number))
    return f"1e{power} to 1e{power + 1}"
