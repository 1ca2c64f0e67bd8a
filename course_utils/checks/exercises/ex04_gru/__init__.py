"""Lecture 04: the step of a GRU, weights for another convention, the number of parameters."""
