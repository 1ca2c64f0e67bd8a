"""What the twin of a coloured text needs beside the model: the text, colours, places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from course_utils.explorers.machinery.tours import Twin
from course_utils.plots.characters import text as drawn
from course_utils.plots.style import BLUE, INK, ORANGE
from course_utils.plots.svg import SMALLEST

AT = ("WIDTH", "COLUMNS", "CELL", "LINE", "LEFT", "TOP", "MONO", "LEVELS", "BINS", "MAP_AT",
      "MAP_WIDTH")  # fmt: skip


def twin_of_text(given: str, sources: Sequence[tuple[str, str]], rows: int, bounded: str) -> Twin:
    """Return the twin of a text that is coloured by a unit of the shipped model.

    `sources` are the gates and states on offer, each with where it is.
    """
    levels = range(-drawn.LEVELS, drawn.LEVELS + 1)
    data: dict[str, Any] = {
        "text": given,
        "sources": sources,
        "rows": rows,
        "bounded": bounded,
        "at": {name: getattr(drawn, name) for name in AT},
        "smallest": SMALLEST,
        "inks": {"above": BLUE, "below": ORANGE, "ink": INK},
        "tints": [drawn.colour_of(level) for level in levels],
    }
    return Twin("coloured_text", ("source_lstm",), data)
