"""Measure the GRU, and its conventions."""
