"""Ask a language model of characters what its units know, and what they cause."""

from course_utils.analysis.characters.causes import levels, opened_strings, ways_of
from course_utils.analysis.characters.closing import (
    by_distance,
    closing_brackets,
    closing_quotes,
    prefers_right,
)
from course_utils.analysis.characters.labels import SAYS, python_text, source_part
from course_utils.analysis.characters.writing import Writer, beside

__all__ = [
    "SAYS",
    "Writer",
    "beside",
    "by_distance",
    "closing_brackets",
    "closing_quotes",
    "levels",
    "opened_strings",
    "prefers_right",
    "python_text",
    "source_part",
    "ways_of",
]
