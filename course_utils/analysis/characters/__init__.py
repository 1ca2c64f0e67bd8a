"""Ask a language model of characters what its units know, and what they cause."""

from course_utils.analysis.characters.causes import (
    endings_of,
    fewer_closed,
    levels,
    opened_strings,
)
from course_utils.analysis.characters.closing import (
    by_distance,
    closing_brackets,
    closing_quotes,
    only,
    prefers_right,
    right_in_both,
)
from course_utils.analysis.characters.labels import SAYS, python_text, source_part
from course_utils.analysis.characters.ladder import (
    cells_at,
    ladders,
    read_out,
    score,
)
from course_utils.analysis.characters.statements import (
    judged,
    statement_starts,
    written_statements,
)
from course_utils.analysis.characters.writing import Writer

__all__ = [
    "SAYS",
    "Writer",
    "by_distance",
    "cells_at",
    "closing_brackets",
    "closing_quotes",
    "endings_of",
    "fewer_closed",
    "judged",
    "ladders",
    "levels",
    "only",
    "opened_strings",
    "prefers_right",
    "python_text",
    "read_out",
    "right_in_both",
    "score",
    "source_part",
    "statement_starts",
    "written_statements",
]
