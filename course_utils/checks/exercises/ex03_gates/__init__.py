"""Lecture 03: one step of an LSTM, its direct path, and weights that hold a bit."""
