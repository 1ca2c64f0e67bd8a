"""Lecture 10: an error that is gone, ELMo in a tagger, a neighbour's sense, a fair comparison."""
