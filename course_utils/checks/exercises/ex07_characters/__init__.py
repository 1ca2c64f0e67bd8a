"""Lecture 07: draw a character, smooth counts, split without a leak, find a unit and its luck."""
