"""Ask a language model of characters what its units know, and what they cause."""

from course_utils.analysis.characters.labels import (
    ASKED,
    SAYS,
    Asked,
    labelled,
    python_text,
    source_part,
)
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
    "labelled",
    "python_text",
    "search_units",
    "source_part",
]
