"""Lecture 05: recognisers, a counter set by hand, counts in few bits, evidence, texts that test."""
