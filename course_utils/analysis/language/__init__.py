"""Measure language models."""

from course_utils.analysis.language.corpus import Corpus, speeches
from course_utils.analysis.language.judged import (
    TwoMemories,
    gap_perplexity,
    perplexity_with_cut,
)
from course_utils.analysis.language.sentence import SentenceRun, run_sentence

__all__ = [
    "Corpus",
    "SentenceRun",
    "TwoMemories",
    "gap_perplexity",
    "perplexity_with_cut",
    "run_sentence",
    "speeches",
]
