"""Lecture 02: one step's Jacobian, their product, its bound, clipping, the lag of silence."""
