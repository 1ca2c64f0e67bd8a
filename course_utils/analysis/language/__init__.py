"""Measure language models."""

from course_utils.analysis.language.corpus import speeches
from course_utils.analysis.language.judged import (
    gap_perplexity,
    perplexity_by_context,
    perplexity_with_cut,
)
from course_utils.analysis.language.sentence import run_sentence

__all__ = [
    "gap_perplexity",
    "perplexity_by_context",
    "perplexity_with_cut",
    "run_sentence",
    "speeches",
]
