"""Measure language models."""

from course_utils.analysis.language.corpus import Corpus, speeches
from course_utils.analysis.language.judged import (
    WordRace,
    gap_perplexity,
    perplexity_in_pieces,
    word_race,
)
from course_utils.analysis.language.sentence import SentenceRun, run_sentence

__all__ = [
    "Corpus",
    "SentenceRun",
    "WordRace",
    "gap_perplexity",
    "perplexity_in_pieces",
    "run_sentence",
    "speeches",
    "word_race",
]
