"""Lecture 00: one step of one unit, to see how checks answer."""
