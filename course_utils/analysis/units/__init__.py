"""Ask what single units respond to."""

from course_utils.analysis.units.choice import choose_unit
from course_utils.analysis.units.search import search_units
from course_utils.analysis.units.stories import closing_unit, hidden_paragraphs, new_paragraphs

__all__ = [
    "choose_unit",
    "closing_unit",
    "hidden_paragraphs",
    "new_paragraphs",
    "search_units",
]
