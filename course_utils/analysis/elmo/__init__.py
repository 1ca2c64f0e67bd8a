"""Look into ELMo's vectors."""

from course_utils.analysis.elmo.counted import strangers_alike, uses_of
from course_utils.analysis.elmo.judged import (
    count_ngrams,
    counted_perplexity,
    gap_scores,
    log_shares,
)
from course_utils.analysis.elmo.letters import LetterIndex, misspelt
from course_utils.analysis.elmo.sight import beyond, direction_of, half_of, sight_of
from course_utils.analysis.elmo.walk import way_of

__all__ = [
    "LetterIndex",
    "beyond",
    "count_ngrams",
    "counted_perplexity",
    "direction_of",
    "gap_scores",
    "half_of",
    "log_shares",
    "misspelt",
    "sight_of",
    "strangers_alike",
    "uses_of",
    "way_of",
]
