"""Lecture 06: tests that cannot be passed by luck, and evidence that a unit carries number."""
