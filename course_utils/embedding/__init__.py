"""Embed many sentences to a file that is whole or absent, and resume after an interruption."""

from course_utils.embedding.corpus import Embedding, embed_corpus, embed_sentences
from course_utils.embedding.job import CorpusInUse
from course_utils.embedding.reading import Source
from course_utils.embedding.shards import embed_file
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
