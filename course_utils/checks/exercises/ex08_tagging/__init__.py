"""Lecture 08: sequences of different lengths, two directions, and what a curve proves."""
