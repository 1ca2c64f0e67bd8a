"""Ask a language model of characters what its units know, and what they cause."""

from course_utils.analysis.characters.causes import (
    levels,
    opened_strings,
    ways_of,
)
from course_utils.analysis.characters.closing import (
    by_distance,
    closing_brackets,
    closing_quotes,
    prefers_right,
)
from course_utils.analysis.characters.labels import (
    ASKED,
    SAYS,
    Asked,
    labelled,
    python_text,
    source_part,
)
from course_utils.analysis.characters.writing import Writer, beside
from course_utils.analysis.units.search import Found, Label, Labelled, Search, Unit, search_units

__all__ = [
    "ASKED",
    "SAYS",
    "Asked",
    "Found",
    "Label",
    "Labelled",
    "Search",
    "Unit",
    "Writer",
    "beside",
    "by_distance",
    "closing_brackets",
    "closing_quotes",
    "labelled",
    "levels",
    "opened_strings",
    "prefers_right",
    "python_text",
    "search_units",
    "source_part",
    "ways_of",
]
