"""Embed many sentences to a file: whole or not there, and going on after an interruption."""

from course_utils.embedding.corpus import embed_corpus
from course_utils.embedding.job import CorpusInUse

__all__ = ["CorpusInUse", "embed_corpus"]
