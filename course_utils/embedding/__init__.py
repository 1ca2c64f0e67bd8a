"""Embed many sentences to a file: whole or not there, and going on after an interruption."""

from course_utils.embedding.corpus import Embedding, embed_corpus, embed_sentences
from course_utils.embedding.job import CorpusInUse
from course_utils.embedding.shards import Source, embed_file
from course_utils.embedding.vectors import open_vectors

__all__ = [
    "CorpusInUse",
    "Embedding",
    "Source",
    "embed_corpus",
    "embed_file",
    "embed_sentences",
    "open_vectors",
]
