"""Lecture 10: an error that is gone, ELMo in a tagger, a sense, a fair comparison, a probe."""
